import { createSlicedTurns, type Slices } from '../src';

/** Work in steps of three milliseconds, by a clock that only work moves, and the time that each turn of the event loop takes. */
function workplace() {
  let nowMs = 0;
  const turnsMs: number[] = [];
  const { slices, nextTurn } = createSlicedTurns(() => nowMs);
  let spentMs = 0;
  const spend = (ms: number) => {
    nowMs += ms;
    spentMs += ms;
  };
  const work = async (steps: number, slice: Slices) => {
    for (let step = 0; step < steps; step++) {
      spend(3);
      await slice.next();
    }
  };
  const count = () => {
    turnsMs.push(spentMs);
    spentMs = 0;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const tell = () => {
    clearImmediate(next);
    return [...turnsMs, spentMs];
  };
  return { slices, nextTurn, work, spend, tell };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

it('lets all divided work together use a turn of the event loop no longer than one piece of work would', async () => {
  const { slices, work, tell } = workplace();
  await Promise.all(Array.from({ length: 20 }, () => work(10, slices())));
  const turnsMs = tell();
  expect(sum(turnsMs)).toBe(600);
  // All twenty take their first step at once. Later turns have three steps.
  expect(Math.max(...turnsMs.slice(1))).toBeLessThanOrEqual(9);
});

it('lets short work finish before long work that waits already', async () => {
  const { slices, work, tell } = workplace();
  const ended: string[] = [];
  const long = Array.from({ length: 10 }, () => work(100, slices()).then(() => ended.push('long')));
  const short = slices()
    .pause()
    .then(() => work(1, slices()))
    .then(() => ended.push('short'));
  await Promise.all([...long, short]);
  tell();
  expect(ended[0]).toBe('short');
});

it('lets long work finish while new work keeps coming', async () => {
  const { slices, work, tell } = workplace();
  let isOver = false;
  const come = async (): Promise<void> => {
    while (!isOver) await slices().pause();
  };
  const coming = come();
  await work(50, slices());
  isOver = true;
  await coming;
  expect(sum(tell())).toBe(150);
});

it('goes on at once in work that has just begun', async () => {
  const { slices, work, tell } = workplace();
  await work(5, slices());
  const short = slices();
  expect(short.isOver()).toBe(false);
  await short.next();
  expect(short.isOver()).toBe(false);
  tell();
});

it('takes turns with work that always needs a whole turn', async () => {
  const { slices, nextTurn, work, spend, tell } = workplace();
  let jobs = 0;
  let isOver = false;
  const job = () => {
    spend(30);
    jobs += 1;
    if (!isOver) nextTurn(job);
  };
  nextTurn(job);
  await work(30, slices());
  isOver = true;
  const turnsMs = tell();
  expect(jobs).toBeGreaterThan(5);
  expect(Math.max(...turnsMs)).toBeLessThanOrEqual(30);
});

it('takes one step in a turn where a step takes longer than a slice', async () => {
  const { slices, spend, tell } = workplace();
  const slice = slices();
  for (let step = 0; step < 10; step++) {
    spend(10);
    await slice.next();
  }
  expect(Math.max(...tell().slice(1))).toBe(10);
});
