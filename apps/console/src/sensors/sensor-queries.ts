import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { answerTo, apiClient, type ShownSensorLog } from '../api/client';

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

export type SensorLogRow = ShownSensorLog['lines'][number];

const FOLLOW_MS = 2000;
/** More are not kept by the server either. */
const MOST_LINES = 500;

/** The last lines of a sensor. Only new ones are read again. */
export const sensorLog = (ref: string, client: QueryClient, follows: boolean) => {
  const queryKey = [...SENSORS, 'log', ref];
  return queryOptions({
    queryKey,
    queryFn: async (): Promise<ShownSensorLog> => {
      const known = client.getQueryData<ShownSensorLog>(queryKey);
      const query = known ? { after: known.next } : {};
      const params = { path: { ref_or_id: ref }, query };
      const { lines, next } = await answerTo(apiClient.GET('/api/v1/sensortypes/{ref_or_id}/log', { params }));
      return { lines: [...(known?.lines ?? []), ...lines].slice(-MOST_LINES), next };
    },
    refetchInterval: follows && FOLLOW_MS,
  });
};

export const enableSensor = (ref: string, enabled: boolean) =>
  answerTo(
    apiClient.PUT('/api/v1/sensortypes/{ref_or_id}', { params: { path: { ref_or_id: ref } }, body: { enabled } }),
  );
