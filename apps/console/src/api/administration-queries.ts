import { queryOptions } from '@tanstack/react-query';
import { answerTo, apiClient } from './client';

/** The keys of the cache for what administrators see. */
export const administrationKeys = {
  apiKeys: ['api keys'] as const,
};

/** The API keys that the user may see, with the time of their last use. */
export const allApiKeys = () =>
  queryOptions({
    queryKey: administrationKeys.apiKeys,
    queryFn: () =>
      answerTo(apiClient.GET('/api/v1/apikeys', { params: { query: { limit: -1, last_use: true } as never } })),
  });
