import { createTickCheck, type FiredTick } from './loads/tick-check';

const SECOND_MS = 1000;
const START = Date.UTC(2030, 0, 1);
let ids = 0;
/** One tick per second. */
const ticks = (from: number, count: number): FiredTick[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(++ids), time: START + (from + index) * SECOND_MS }));

describe('The check for lost and doubled ticks', () => {
  it('finds a lost and a doubled tick', () => {
    const [before, after] = [ticks(0, 5), ticks(6, 5)];
    const lost = createTickCheck();
    expect(lost.problems(before, false)).toEqual([]);
    expect(lost.problems([...before, ...after], false)).toEqual([
      '1.0 ticks of the timer were lost: 5 since 00:00:06.000, apart by other than 1000 ms: none',
    ]);
    const doubled = createTickCheck();
    expect(doubled.problems(before, false)).toEqual([]);
    expect(doubled.problems([...before, ...ticks(4, 6)], false)[0]).toContain('1.0 ticks of the timer were doubled');
  });

  it('accepts ticks that were late because nothing ran', () => {
    const check = createTickCheck();
    const before = ticks(0, 5);
    const late = ticks(5, 4).map(({ id }) => ({ id, time: START + 9 * SECOND_MS }));
    expect(check.problems(before, false)).toEqual([]);
    expect(check.problems([...before, ...late, ...ticks(9, 3)], false)).toEqual([]);
  });

  it('counts ticks at times at which others fired while the clock was ahead', () => {
    const check = createTickCheck();
    const fired = [...ticks(0, 5), ...ticks(10, 4)];
    expect(check.problems(fired, true)).toEqual([]);
    fired.push(...ticks(5, 4));
    expect(check.problems(fired, false)).toEqual([]);
    fired.push(...ticks(9, 5));
    expect(check.problems(fired, false)).toEqual([]);
    fired.push(...ticks(14, 5));
    expect(check.problems(fired, false)).toEqual([]);
  });
});
