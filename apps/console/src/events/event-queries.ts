import { queryOptions } from '@tanstack/react-query';
import { answerTo, apiClient, responseTo, type EventRow } from '../api/client';
import { keys, PAGE_SIZE } from '../api/queries';

/** What the list of events can be filtered by. Empty values do not filter. */
export interface EventListFilter {
  readonly trigger_type: string;
  readonly status: string;
}

export interface PageOfEvents {
  readonly rows: readonly EventRow[];
  /** How many events match the filter. */
  readonly total: number;
}

/** Trigger instances without their payloads, newest first. */
export const eventPage = (filter: EventListFilter, page: number) =>
  queryOptions({
    queryKey: [...keys.events, filter, page],
    queryFn: async (): Promise<PageOfEvents> => {
      const chosen = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
      const query = { ...chosen, limit: PAGE_SIZE, offset: page * PAGE_SIZE, exclude_attributes: 'payload' };
      const { data, headers } = await responseTo(
        apiClient.GET('/api/v1/triggerinstances', { params: { query: query as never } }),
      );
      return { rows: data, total: Number(headers.get('x-total-count') ?? data.length) };
    },
    refetchInterval: 5000,
  });

export const eventOf = (id: string) =>
  queryOptions({
    queryKey: keys.event(id),
    queryFn: () => answerTo(apiClient.GET('/api/v1/triggerinstances/{id}', { params: { path: { id } } })),
    // Its rules have been evaluated soon.
    refetchInterval: ({ state: { data } }) => (data?.outcome === undefined ? 1000 : false),
  });
