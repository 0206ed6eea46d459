import { queryOptions } from '@tanstack/react-query';
import { answerTo, apiClient } from '../api/client';

const timerKey = ['timers'] as const;

export const allTimers = () =>
  queryOptions({ queryKey: timerKey, queryFn: () => answerTo(apiClient.GET('/api/v1/timers')) });

const SHOWN_TIMES = 10;

/** The next times of one timer. */
export const nextTimesOf = (ref: string) =>
  queryOptions({
    queryKey: [...timerKey, ref],
    queryFn: () =>
      answerTo(
        apiClient.GET('/api/v1/timers/{ref_or_id}/next', {
          params: { path: { ref_or_id: ref }, query: { count: SHOWN_TIMES } },
        }),
      ),
    refetchInterval: 30_000,
  });

/** When all timers fire in the next hours. */
export const upcomingTimes = (hours: number) =>
  queryOptions({
    queryKey: [...timerKey, 'upcoming', hours],
    queryFn: () => answerTo(apiClient.GET('/api/v1/timers/views/upcoming', { params: { query: { hours } } })),
    refetchInterval: 30_000,
  });
