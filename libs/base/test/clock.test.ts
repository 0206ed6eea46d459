import { setImmediate as nextTurn } from 'node:timers/promises';
import { isoToMicros, microsToIso, systemClock } from '@switchyard/base';

describe('systemClock', () => {
  it('never returns the same time twice', () => {
    const clock = systemClock();
    const times = Array.from({ length: 10_000 }, () => clock.nowMicros());
    expect(new Set(times).size).toBe(times.length);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.every(Number.isInteger)).toBe(true);
  });

  it('agrees with the wall clock', () => {
    const before = Date.now();
    const now = systemClock().nowMicros() / 1000;
    expect(now).toBeGreaterThanOrEqual(before - 1);
    expect(now).toBeLessThanOrEqual(Date.now() + 1);
  });

  it.each([
    ['follows the wall clock', 3600, -3600],
    ['waits for the wall clock', 0.5, 0],
  ])('%s when it is set back by %d s', (_, seconds, expected) => {
    const clock = systemClock();
    const before = clock.nowMicros();
    const now = Date.now.bind(Date);
    const wall = jest.spyOn(Date, 'now').mockImplementation(() => now() - seconds * 1000);
    const after = clock.nowMicros();
    wall.mockRestore();
    expect(Math.round((after - before) / 1_000_000)).toBe(expected);
    expect(after > before).toBe(expected === 0);
  });

  it('calls back once, and not after it was canceled', async () => {
    const clock = systemClock();
    const calls: string[] = [];
    clock.after(0, () => calls.push('canceled'))();
    const keepAlive = setInterval(() => undefined, 1000);
    await new Promise<void>((resolve) => clock.after(1, () => resolve(void calls.push('called'))));
    clearInterval(keepAlive);
    expect(calls).toEqual(['called']);
  });
});

describe('a timestamp', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000000Z'],
    [1_714_979_289_123_456, '2024-05-06T07:08:09.123456Z'],
    [1_714_979_289_000_001, '2024-05-06T07:08:09.000001Z'],
    [-1, '1969-12-31T23:59:59.999999Z'],
  ])('converts %d to %s and back', (micros, text) => {
    expect(microsToIso(micros)).toBe(text);
    expect(isoToMicros(text)).toBe(micros);
  });

  it.each([
    ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09.000000Z'],
    ['2024-05-06 07:08:09', '2024-05-06T07:08:09.000000Z'],
    ['2024-05-06T07:08:09.5+02:00', '2024-05-06T05:08:09.500000Z'],
    ['2024-05-06T07:08:09.123-0330', '2024-05-06T10:38:09.123000Z'],
    ['2024-05-06T07:08:09+02', '2024-05-06T05:08:09.000000Z'],
  ])('can be parsed from %s', (text, whole) => expect(microsToIso(isoToMicros(text) ?? NaN)).toBe(whole));

  it.each([
    '',
    'today',
    '5',
    '2024-13-01T00:00:00Z',
    '2024-05-06',
    '2024-05-06T07:08Z',
    '2024-05-06T07:08:09.1234567Z',
  ])('cannot be parsed from %p', (text) => expect(isoToMicros(text)).toBeUndefined());
});

describe('the time of a turn', () => {
  it('is the same until the turn ends', async () => {
    const clock = systemClock();
    const first = clock.turnMicros('a');
    await Promise.resolve();
    expect(clock.turnMicros('a')).toBe(first);
    await nextTurn();
    expect(clock.turnMicros('a')).toBeGreaterThan(first);
  });

  it('is later than every time before it, also in the same turn', () => {
    const clock = systemClock();
    const first = clock.turnMicros('a');
    const between = clock.nowMicros();
    const second = clock.turnMicros('a');
    expect(between).toBeGreaterThan(first);
    expect(second).toBeGreaterThan(between);
    expect(clock.nowMicros()).toBeGreaterThan(second);
  });

  it('is another one for others', () => {
    const clock = systemClock();
    const times = ['a', 'b', 'a'].map((by) => clock.turnMicros(by));
    expect(new Set(times).size).toBe(3);
  });
});
