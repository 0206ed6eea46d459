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

it('uses no more time per turn of the event loop for all divided work than for one piece of work', async () => {
  const { slices, work, tell } = workplace();
  await Promise.all(Array.from({ length: 20 }, () => work(10, slices())));
  const turnsMs = tell();
  expect(sum(turnsMs)).toBe(600);
  // All twenty take their first step at once. Later turns have three steps.
  expect(Math.max(...turnsMs.slice(1))).toBeLessThanOrEqual(9);
});

it('finishes short work before long work that is already waiting', async () => {
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

it('finishes many short pieces of work in their first turns, while much long work waits', async () => {
  const { slices, work, tell } = workplace();
  let isOver = false;
  const long = Array.from({ length: 50 }, async () => {
    const slice = slices();
    while (!isOver) await work(1, slice);
  });
  // Until all the long work has waited once.
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  let turns = 0;
  let next = setImmediate(count);
  function count() {
    turns += 1;
    next = setImmediate(count);
  }
  await Promise.all(
    Array.from({ length: 6 }, () =>
      slices()
        .pause()
        .then(() => work(1, slices())),
    ),
  );
  clearImmediate(next);
  isOver = true;
  await Promise.all(long);
  tell();
  expect(turns).toBeLessThanOrEqual(8);
});

it('counts callers that share slices as one piece of work', async () => {
  const { slices, work, tell } = workplace();
  const ended: string[] = [];
  const shared = slices();
  await Promise.all([
    ...Array.from({ length: 100 }, () => work(5, shared).then(() => ended.push('shared'))),
    work(20, slices()).then(() => ended.push('alone')),
  ]);
  tell();
  expect(ended.indexOf('alone')).toBeLessThan(20);
});

it('continues callers that share slices in the order in which they began to wait', async () => {
  const { slices, tell } = workplace();
  const ended: number[] = [];
  const shared = slices();
  await Promise.all(Array.from({ length: 10 }, (_, index) => shared.pause().then(() => ended.push(index))));
  tell();
  expect(ended).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('continues as many pieces of work in a turn as time allows', async () => {
  const { slices, spend, tell } = workplace();
  await Promise.all(
    Array.from({ length: 40 }, () =>
      slices()
        .pause()
        .then(() => spend(1)),
    ),
  );
  const turnsMs = tell();
  expect(sum(turnsMs)).toBe(40);
  expect(turnsMs.filter((ms) => ms > 0)).toEqual([8, 8, 8, 8, 8]);
});

it('does not continue work twice in the turn in which it pauses', async () => {
  const { slices, tell } = workplace();
  const slice = slices();
  for (let step = 0; step < 10; step++) await slice.pause();
  expect(tell().length).toBeGreaterThanOrEqual(10);
});

it('finishes long work while a loop keeps starting work that uses all of its time', async () => {
  const { slices, work, spend, tell } = workplace();
  let isOver = false;
  // A limit, so that the test fails instead of running forever.
  const come = async (): Promise<void> => {
    for (let count = 0; count < 2000 && !isOver; count++) {
      const slice = slices();
      spend(2);
      await slice.next();
    }
  };
  const coming = come();
  const long = work(50, slices());
  const first = await Promise.race([long.then(() => 'long work'), coming.then(() => 'the loop')]);
  isOver = true;
  await Promise.all([coming, long]);
  tell();
  expect(first).toBe('long work');
});

it('finishes long work while new work keeps arriving', async () => {
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

it('continues work that has just begun without waiting', async () => {
  const { slices, work, tell } = workplace();
  await work(5, slices());
  const short = slices();
  expect(short.isOver()).toBe(false);
  await short.next();
  expect(short.isOver()).toBe(false);
  tell();
});

it('alternates with work that always needs a whole turn', async () => {
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

it('takes one step per turn if a step takes longer than a slice', async () => {
  const { slices, spend, tell } = workplace();
  const slice = slices();
  for (let step = 0; step < 10; step++) {
    spend(10);
    await slice.next();
  }
  expect(Math.max(...tell().slice(1))).toBe(10);
});
