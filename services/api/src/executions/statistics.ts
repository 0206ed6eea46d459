import { microsToIso, SECOND_MICROS, type Micros } from '@switchyard/base';
import type { ExecutionRecords } from '@switchyard/executions';
import type { ExecutionRecord, ExecutionStatistics, Status } from '@switchyard/model';
import type { Filter } from '@switchyard/storage';

/** Of this part of a record statistics are made. */
type Counted = Pick<ExecutionRecord, 'action_ref' | 'status' | 'start_timestamp' | 'end_timestamp'>;

const COUNTED_FIELDS = ['action_ref', 'status', 'start_timestamp', 'end_timestamp'] as const;

/** A range of time in intervals of equal length. */
export interface Intervals {
  readonly from: Micros;
  readonly to: Micros;
  readonly count: number;
}

/** Figures of some executions: how many by status, and how long they took. */
interface Figures {
  readonly statuses: Partial<Record<Status, number>>;
  readonly seconds: number[];
}

type ActionFigures = ExecutionStatistics['actions'][number];

const FAILED: ReadonlySet<Status> = new Set<Status>(['failed', 'timeout', 'abandoned']);
const MOST_ACTIONS = 20;

/**
 * Counts the newest executions of a range.
 * @param most how many are counted; one more is read, to see whether there are more
 */
export async function countedStatistics(
  records: Pick<ExecutionRecords, 'each'>,
  filter: Filter<ExecutionRecord>,
  intervals: Intervals,
  most: number,
): Promise<ExecutionStatistics> {
  const statistics = createStatistics(intervals);
  let left = most;
  let oldest = intervals.from;
  const sort = { start_timestamp: -1 } as const;
  for await (const record of records.each({ filter, sort, limit: most + 1, fields: COUNTED_FIELDS, once: true })) {
    if (left === 0) return statistics.result(oldest);
    left -= 1;
    oldest = record.start_timestamp;
    statistics.add(record);
  }
  return statistics.result(intervals.from);
}

/** Adds executions up, one by one. */
function createStatistics({ from, to, count }: Intervals) {
  const all = noFigures();
  const intervals = Array.from({ length: count }, noFigures);
  const length = (to - from) / count;
  const actions = new Map<string, ActionFigures>();
  let executions = 0;
  return {
    add(record: Counted): void {
      executions += 1;
      const at = Math.min(Math.floor((record.start_timestamp - from) / length), count - 1);
      for (const figures of [all, intervals[at]]) if (figures) addTo(figures, record);
      addToAction(actions, record);
    },
    /** @param countedFrom the time from which on no execution is missing */
    result: (countedFrom: Micros): ExecutionStatistics => ({
      from: microsToIso(from),
      to: microsToIso(to),
      executions,
      complete: countedFrom === from,
      counted_from: microsToIso(countedFrom),
      ...shown(all),
      interval_seconds: length / SECOND_MICROS,
      intervals: intervals.map((figures, at) => ({
        start: microsToIso(Math.floor(from + at * length)),
        ...shown(figures),
      })),
      actions: [...actions.values()].sort(byFailures).slice(0, MOST_ACTIONS),
    }),
  };
}

const noFigures = (): Figures => ({ statuses: {}, seconds: [] });

function addTo({ statuses, seconds }: Figures, { status, start_timestamp: start, end_timestamp: end }: Counted): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (end !== undefined) seconds.push(Math.max(end - start, 0) / SECOND_MICROS);
}

function addToAction(
  actions: Map<string, ActionFigures>,
  { action_ref: action, status, end_timestamp: end }: Counted,
): void {
  const figures = actions.get(action) ?? { action, executions: 0, ended: 0, failed: 0 };
  actions.set(action, figures);
  figures.executions += 1;
  if (end !== undefined) figures.ended += 1;
  if (FAILED.has(status)) figures.failed += 1;
}

const byFailures = (a: ActionFigures, b: ActionFigures): number =>
  b.failed - a.failed || b.executions - a.executions || (a.action < b.action ? -1 : 1);

function shown({ statuses, seconds }: Figures) {
  if (seconds.length === 0) return { statuses };
  const sorted = Float64Array.from(seconds).sort();
  const rank = (part: number): number => sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
  return { statuses, durations: { p50: rank(0.5), p95: rank(0.95), p99: rank(0.99) } };
}
