import { Type, type Static } from '@sinclair/typebox';
import { described, flag, isoTime, text, whole } from './fields';

const countsByStatus = Type.Record(text, whole, { description: 'Number of executions by status' });

const durations = Type.Object(
  { p50: Type.Number(), p95: Type.Number(), p99: Type.Number() },
  {
    title: 'Durations',
    description: 'Percentiles of the seconds from start to end, of the executions that have ended',
  },
);

const interval = Type.Object(
  { start: isoTime, statuses: countsByStatus, durations: Type.Optional(durations) },
  { title: 'StatisticsInterval' },
);

const actionFigures = Type.Object(
  {
    action: described(text, 'Reference of the action'),
    executions: whole,
    ended: whole,
    failed: described(whole, 'How many of them failed, timed out or were abandoned'),
  },
  { title: 'ActionStatistics' },
);

/** Figures of the executions that started in a range of time. */
export const executionStatisticsAnswer = Type.Object(
  {
    from: isoTime,
    to: isoTime,
    executions: described(whole, 'How many executions were counted'),
    complete: described(flag, 'False if there were more executions than the server counts: the oldest are missing'),
    counted_from: described(isoTime, 'From here on, all executions were counted'),
    statuses: countsByStatus,
    durations: Type.Optional(durations),
    interval_seconds: described(Type.Number(), 'Length of each interval'),
    intervals: Type.Array(interval, { description: 'Executions by the time of their start, oldest first' }),
    actions: Type.Array(actionFigures, {
      description: 'At most 20 actions: most failures first, then most executions',
    }),
  },
  { title: 'ExecutionStatistics' },
);
export type ExecutionStatistics = Static<typeof executionStatisticsAnswer>;
