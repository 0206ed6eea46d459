import { existsSync, readFileSync } from 'node:fs';

const PERIOD_MS = 5;

/**
 * For how long, at most, the main thread of this process worked without getting to a timer while something was under way. It is
 * its processor time where the system tells that: other processes on the machine hold up nobody here.
 */
export async function longestHoldUp<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
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
    return { result, ms };
  } finally {
    clearInterval(timer);
  }
}

/** Of the main thread alone: the first number there is its time on a processor, in nanoseconds. */
const SCHEDULER_STATISTICS = '/proc/self/schedstat';

const workedMs = existsSync(SCHEDULER_STATISTICS)
  ? () => Number(readFileSync(SCHEDULER_STATISTICS, 'utf8').split(' ')[0]) / 1e6
  : () => performance.now();

/** Expressions that take a hundred milliseconds at least, on a busy machine far more, and what they come to. */
export const SLOW_YAQL =
  'range(0, 1000).select(let(a => $) -> range(0, 400).where(($ + 1) * 3 - $ * 2 - 3 + $ mod 1 = $a).len()).sum()';
export const SLOW_YAQL_VALUE = 400;
export const SLOW_TEMPLATE =
  '{% for i in range(4) %}{% set n = namespace(sum=0) %}{% for k in range(50000) %}{% set n.sum = n.sum + k % 2 %}{% endfor %}{{ n.sum }},{% endfor %}';
export const SLOW_TEMPLATE_VALUE = '25000,'.repeat(4);
