import { SECOND_MICROS } from '@switchyard/base';
import {
  decideCorrelation,
  nextRipe,
  NO_STATE,
  parseCorrelation,
  ripe,
  settled,
  taken,
  type Correlation,
  type CorrelationState,
} from '../../src';

const parsed = (written: unknown): Correlation => parseCorrelation(written) as Correlation;

/** Times in seconds and names of events, in order of decision. @returns for each whether it runs, and with which events */
function decided(correlation: Correlation, events: readonly (readonly [seconds: number, instance: string])[]) {
  let state: CorrelationState = NO_STATE;
  return events.map(([seconds, instance]) => {
    const at = seconds * SECOND_MICROS;
    const { run, members, state: next } = decideCorrelation(correlation, state, { instance, at }, at);
    state = next;
    return members ? members.join('') : run;
  });
}

describe('a correlation', () => {
  it.each([
    [undefined, undefined],
    [null, undefined],
    [{}, undefined],
    [{ throttle: { count: 2, seconds: 1.5 } }, { name: 'throttle', count: 2, windowMicros: 1_500_000 }],
    [{ once_within: { seconds: 1 } }, { name: 'once_within', count: 1, windowMicros: 1_000_000 }],
    [{ debounce: { seconds: 2, group_by: 'x' } }, { name: 'debounce', quietMicros: 2_000_000, groupBy: 'x' }],
    [
      { accumulate: { count: 5, within_seconds: 1, group_by: null } },
      { name: 'accumulate', count: 5, windowMicros: 1_000_000 },
    ],
  ])('accepts %j', (written, read) => expect(parseCorrelation(written)).toEqual(read));

  it.each([
    [[], 'expected an object with one of throttle, once_within, debounce, accumulate'],
    ['throttle', 'expected an object'],
    [{ sometimes: {} }, 'got sometimes'],
    [{ throttle: { count: 1, seconds: 1 }, debounce: { seconds: 1 } }, 'got throttle, debounce'],
    [{ throttle: 5 }, 'throttle has to be an object with count and seconds'],
    [{ throttle: { seconds: 1 } }, 'count has to be a whole number from 1 to 1000, got None'],
    [{ throttle: { count: 0, seconds: 1 } }, 'got 0'],
    [{ throttle: { count: 1.5, seconds: 1 } }, 'got 1.5'],
    [{ throttle: { count: 5000, seconds: 1 } }, 'got 5000'],
    [{ debounce: { seconds: 0 } }, 'seconds has to be a number above 0'],
    [{ debounce: { seconds: '5' } }, "got '5'"],
    [{ debounce: { seconds: 1e9 } }, 'got 1000000000'],
    [{ debounce: { seconds: 1, count: 2 } }, 'debounce has no field count'],
    [{ accumulate: { count: 2, seconds: 2 } }, 'accumulate has no field seconds'],
    [{ debounce: { seconds: 1, group_by: 5 } }, 'group_by has to be a text, got 5'],
  ])('rejects %j', (written, reason) => expect(() => parseCorrelation(written)).toThrow(reason));
});

describe('throttle', () => {
  const two = parsed({ throttle: { count: 2, seconds: 10 } });

  it.each<[string, [number, string][], boolean[]]>([
    ['runs two events in ten seconds', [[0, 'a'], [1, 'b'], [2, 'c'], [9, 'd'], [10, 'e'], [10.5, 'f'], [11, 'g']], [true, true, false, false, true, false, true]], // oxfmt-ignore
    [
      'counts late events in their own period',
      [
        [20, 'a'],
        [21, 'b'],
        [12, 'c'],
        [5, 'd'],
      ],
      [true, true, false, true],
    ],
    ['decides the same for repeated events', [[0, 'a'], [1, 'b'], [2, 'c'], [0, 'a'], [2, 'c'], [1, 'b']], [true, true, false, true, false, true]], // oxfmt-ignore
  ])('%s', (_, events, answers) => expect(decided(two, events)).toEqual(answers));

  it('keeps only the events that it needs, and runs no older ones', () => {
    const one = parsed({ once_within: { seconds: 1 } });
    let state = NO_STATE;
    for (let n = 0; n < 1000; n++)
      state = decideCorrelation(one, state, { instance: `i${n}`, at: n * 2 * SECOND_MICROS }, 0).state;
    expect(state.entries.length).toBeLessThan(200);
    expect(decideCorrelation(one, state, { instance: 'old', at: SECOND_MICROS }, 0)).toEqual({ state, run: false });
  });
});

describe('accumulate', () => {
  const three = parsed({ accumulate: { count: 3, within_seconds: 10 } });

  it.each<[string, [number, string][], (boolean | string)[]]>([
    ['runs after three events, then starts over', [[0, 'a'], [1, 'b'], [2, 'c'], [3, 'd'], [4, 'e'], [5, 'f']], [false, false, 'abc', false, false, 'def']], // oxfmt-ignore
    [
      'leaves out old instances',
      [
        [0, 'a'],
        [1, 'b'],
        [10.5, 'c'],
        [10.9, 'd'],
      ],
      [false, false, false, 'bcd'],
    ],
    [
      'orders late events by time',
      [
        [2, 'c'],
        [1, 'b'],
        [0, 'a'],
      ],
      [false, false, 'abc'],
    ],
    [
      'counts nothing twice',
      [
        [0, 'a'],
        [0, 'a'],
        [1, 'b'],
        [0, 'a'],
        [2, 'c'],
      ],
      [false, false, false, false, 'abc'],
    ],
    ['decides the same for repeated events', [[0, 'a'], [1, 'b'], [2, 'c'], [3, 'd'], [2, 'c'], [1, 'b'], [3, 'd']], [false, false, 'abc', false, 'abc', false, false]], // oxfmt-ignore
  ])('%s', (_, events, answers) => expect(decided(three, events)).toEqual(answers));

  it('remembers a bounded number of batches', () => {
    const one = parsed({ accumulate: { count: 1, within_seconds: 1 } });
    let state = NO_STATE;
    for (let n = 1; n < 100; n++)
      state = decideCorrelation(one, state, { instance: `i${n}`, at: n * SECOND_MICROS }, 0).state;
    expect(state.batches.length).toBe(20);
    expect(decideCorrelation(one, state, { instance: 'i3', at: 3 * SECOND_MICROS }, 0).run).toBe(false);
  });
});

describe('debounce', () => {
  const quiet = parsed({ debounce: { seconds: 10 } });
  const after = (...events: (readonly [number, string, number?])[]): CorrelationState =>
    events.reduce(
      (state, [seconds, instance, now = seconds]) =>
        decideCorrelation(quiet, state, { instance, at: seconds * SECOND_MICROS }, now * SECOND_MICROS).state,
      NO_STATE,
    );
  const waiting = ({ pending }: CorrelationState) =>
    pending.map(({ instance, due }) => [instance, due / SECOND_MICROS]);

  it('waits for the last of several events in a row', () => {
    expect(waiting(after([0, 'a'], [5, 'b'], [14, 'c']))).toEqual([['c', 24]]);
  });

  it('runs the previous event after a quiet period', () => {
    expect(waiting(after([0, 'a'], [10, 'b']))).toEqual([['a', 10], ['b', 20]]); // oxfmt-ignore
  });

  it('is not delayed by repeated or late events', () => {
    const state = after([0, 'a'], [5, 'b']);
    expect(after([0, 'a'], [5, 'b'], [5, 'b'], [0, 'a'], [3, 'late'])).toEqual(state);
  });

  it('gives a backlog time to catch up', () => {
    expect(waiting(after([0, 'a', 100], [5, 'b', 100]))).toEqual([['b', 102]]);
  });

  it('does not reuse a taken slot, and forgets finished ones', () => {
    const state = after([0, 'a']);
    const events = ripe(state, 10 * SECOND_MICROS);
    const held = taken(state, events, 15 * SECOND_MICROS);
    expect(nextRipe(held)).toBe(15 * SECOND_MICROS);
    const more = decideCorrelation(quiet, held, { instance: 'b', at: 9 * SECOND_MICROS }, 9 * SECOND_MICROS).state;
    expect(waiting(more)).toEqual([['a', 15], ['b', 19]]); // oxfmt-ignore
    const done = settled(more, events);
    expect(waiting(done)).toEqual([['b', 19]]);
    expect(decideCorrelation(quiet, done, { instance: 'a', at: 0 }, 0).state).toBe(done);
    expect(nextRipe(settled(done, done.pending))).toBeUndefined();
  });
});
