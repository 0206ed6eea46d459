import { slices } from '@switchyard/base';
import { Allowance } from '../src';

const LONG_WORK = 40;

/** Evaluates for longer than a slice each time it gets a turn. */
async function evaluate(isOver: () => boolean): Promise<void> {
  const allowance = new Allowance();
  while (!isOver()) {
    const end = performance.now() + 11;
    allowance.run(() => {
      while (performance.now() < end);
    });
    await allowance.rest();
  }
}

it('prefers work that waits for the first time over expressions that have waited', async () => {
  let isOver = false;
  const others = Array.from({ length: LONG_WORK }, () => evaluate(() => isOver));
  // Until all of them have waited once.
  for (let turn = 0; turn < 2 * LONG_WORK; turn++) await new Promise(setImmediate);
  let turns = 0;
  let next = setImmediate(count);
  function count() {
    turns += 1;
    next = setImmediate(count);
  }
  await slices().pause();
  clearImmediate(next);
  isOver = true;
  await Promise.all(others);
  // Forty if each wait counts as a first one.
  expect(turns).toBeLessThanOrEqual(6);
});
