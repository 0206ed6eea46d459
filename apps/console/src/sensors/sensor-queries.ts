import { queryOptions } from '@tanstack/react-query';
import { answerTo, apiClient } from '../api/client';

/** The key of everything about sensors. */
export const SENSORS = ['sensors'] as const;

/** How often their states are read. */
const REFRESH_MS = 5000;

export const allSensors = () =>
  queryOptions({
    queryKey: [...SENSORS, 'all'],
    queryFn: () => answerTo(apiClient.GET('/api/v1/sensortypes', { params: { query: { limit: -1 } } })),
    refetchInterval: REFRESH_MS,
  });

export const sensorOf = (ref: string) =>
  queryOptions({
    queryKey: [...SENSORS, 'one', ref],
    queryFn: () => answerTo(apiClient.GET('/api/v1/sensortypes/{ref_or_id}', { params: { path: { ref_or_id: ref } } })),
    refetchInterval: REFRESH_MS,
  });

export const enableSensor = (ref: string, enabled: boolean) =>
  answerTo(
    apiClient.PUT('/api/v1/sensortypes/{ref_or_id}', { params: { path: { ref_or_id: ref } }, body: { enabled } }),
  );
