import { Worker } from 'node:worker_threads';
import { execWithin } from '../../src/schema/regex/time-limit';

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
