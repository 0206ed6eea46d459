import { Worker } from 'node:worker_threads';
import { execWithin, nextTimeout } from '../../src/schema/regex/time-limit';

/** Backtracks: each further character doubles the time. */
const PATTERN = /(?:a+)+$/y;

const search = (length: number, limitMs: number) => {
  PATTERN.lastIndex = 0;
  return execWithin(PATTERN, `${'a'.repeat(length)}b`, limitMs);
};

it('is the time of the thread: other threads that are busy do not use it up', async () => {
  let length = 10;
  while (search(length, 20) !== 'timeout') length += 1;
  const busy = Array.from({ length: 8 }, () => new Worker('for (;;) Math.random();', { eval: true }));
  try {
    await Promise.all(busy.map((worker) => new Promise((resolve) => worker.once('online', resolve))));
    for (let i = 0; i < 10; i++) expect(search(length - 3, 20)).toBeNull();
    expect(search(length + 3, 20)).toBe('timeout');
  } finally {
    await Promise.all(busy.map((worker) => worker.terminate()));
  }
});

it.each([
  ['an attempt that had the processor', [45], undefined],
  ['an attempt that almost had it: not twice the time', [39], 41],
  ['an attempt that waited for a processor', [1], 79],
  ['many attempts that waited', Array.from({ length: 20 }, () => 1), 60],
  ['attempts that have used up the processor time together', [30, 30, 12], undefined],
  ['too many attempts', Array.from({ length: 31 }, () => 0), undefined],
])('repeats an expression of 50 ms after %s', (_, attempts, timeoutMs) => {
  expect(nextTimeout(50, attempts)).toBe(timeoutMs);
});
