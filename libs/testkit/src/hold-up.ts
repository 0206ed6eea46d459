import { existsSync, readFileSync } from 'node:fs';
import { cpuTimeMs } from './cpu-time';

const PERIOD_MS = 5;

/**
 * Measures how long some work blocks the main thread of this process: its longest processor time between two timers, as a share of
 * the processor time of all threads. The share is 1 for work without a pause, and small for work in many turns or in other
 * threads. Both times grow on a slow machine, so the share stays the same there.
 */
export async function longestHoldUp<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly share: number }> {
  const startMs = cpuTimeMs();
  let [last, ms] = [workedMs(), 0];
  const look = () => {
    const now = workedMs();
    ms = Math.max(ms, now - last);
    last = now;
  };
  const timer = setInterval(look, PERIOD_MS);
  try {
    const result = await work();
    look();
    return { result, share: ms / (cpuTimeMs() - startMs) };
  } finally {
    clearInterval(timer);
  }
}

/** The limit for long work that is done in several turns. */
export const MOST_HELD_UP = 0.5;

/** Statistics of the main thread: the first number is its processor time in nanoseconds. */
const SCHEDULER_STATISTICS = '/proc/self/schedstat';

const workedMs = existsSync(SCHEDULER_STATISTICS)
  ? () => Number(readFileSync(SCHEDULER_STATISTICS, 'utf8').split(' ')[0]) / 1e6
  : () => performance.now();

/** Expressions that take at least a hundred milliseconds, and far more on a busy machine, with their values. */
export const SLOW_YAQL =
  'range(0, 1000).select(let(a => $) -> range(0, 400).where(($ + 1) * 3 - $ * 2 - 3 + $ mod 1 = $a).len()).sum()';
export const SLOW_YAQL_VALUE = 400;
export const SLOW_TEMPLATE =
  '{% for i in range(4) %}{% set n = namespace(sum=0) %}{% for k in range(50000) %}{% set n.sum = n.sum + k % 2 %}{% endfor %}{{ n.sum }},{% endfor %}';
export const SLOW_TEMPLATE_VALUE = '25000,'.repeat(4);
