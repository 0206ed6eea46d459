import { queryOptions } from '@tanstack/react-query';
import { answerTo, apiClient } from '../api/client';
import { keys } from '../api/queries';

/** All trigger types with their schemas. */
export const allTriggerTypes = () =>
  queryOptions({
    queryKey: [...keys.triggerTypes, 'whole'],
    queryFn: () => answerTo(apiClient.GET('/api/v1/triggertypes', { params: { query: { limit: -1 } } })),
  });

export const triggerTypeOf = (ref: string) =>
  queryOptions({
    queryKey: [...keys.triggerTypes, ref],
    queryFn: () =>
      answerTo(apiClient.GET('/api/v1/triggertypes/{ref_or_id}', { params: { path: { ref_or_id: ref } } })),
  });
