import { queryOptions } from '@tanstack/react-query';
import { answerTo, apiClient } from '../api/client';

export const allAliases = () =>
  queryOptions({
    queryKey: ['aliases'],
    queryFn: () => answerTo(apiClient.GET('/api/v1/actionalias', { params: { query: { limit: -1 } } })),
  });

/** The commands of the enabled aliases, as chat users see them. */
export const helpOfAliases = () =>
  queryOptions({
    queryKey: ['aliases', 'help'],
    queryFn: () => answerTo(apiClient.GET('/api/v1/actionalias/help', { params: { query: { limit: 0 } } })),
  });

/** The alias that a command runs, and the parameters that it gives. */
export const matchOf = (command: string) =>
  queryOptions({
    queryKey: ['alias match', command],
    queryFn: () => answerTo(apiClient.POST('/api/v1/actionalias/match', { body: { command } })),
    enabled: command !== '',
    retry: false,
  });
