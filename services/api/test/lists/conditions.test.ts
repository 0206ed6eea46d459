import { flagCondition, idCondition, readTime, readTimeRange, textCondition, timeCondition } from '../../src/lists/conditions'; // oxfmt-ignore

const ID = '0123456789abcdef01234567';

describe('a filter', () => {
  it.each([
    ['core', 'core'],
    ['NULL', null],
    ['core,', 'core'],
    [',core', 'core'],
    [',', ','],
    ['running,paused', { $in: ['running', 'paused'] }],
  ])('by text %p is %p', (text, condition) => expect(textCondition(text)).toEqual(condition));

  it('by id takes one or several ids, up to a limit', () => {
    expect(idCondition([ID])).toBe(ID);
    expect(idCondition([ID, ID])).toEqual({ $in: [ID, ID] });
    expect(() => idCondition([ID, ID], 1)).toThrow('Maximum of 1 items can be provided for a query parameter value');
    expect(() => idCondition([''])).toThrow("'' is not a valid ObjectId");
    expect(() => idCondition([ID, 'garbage'])).toThrow("'garbage' is not a valid ObjectId, it must be a 12-byte input");
  });

  it('by flag takes a few words', () => {
    expect(['1', 'true', 'True', '0', 'false', 'False'].map(flagCondition)).toEqual([true, true, true, false, false, false]); // oxfmt-ignore
    for (const text of ['x', 'TRUE', 'fAlse', ''])
      expect(() => flagCondition(text)).toThrow(`Invalid bool representation "${text}" provided.`);
  });

  it.each(['2030-01-02T03:04:05Z', '2030-01-02 03:04:05.000000+00:00', '2030-01-02T03:04:05.000 0000'])(
    'by time takes %p',
    (text) => expect(readTime(text)).toBe(Date.UTC(2030, 0, 2, 3, 4, 5) * 1000),
  );

  it.each(['5', '2030-01-02', '2030-01-02T03:04:05+01:00', '2030-13-02T03:04:05Z', ''])('by time refuses %p', (text) =>
    expect(() => readTime(text)).toThrow('Datetime value does not match expected format.'),
  );

  it('by a range of times is sorted in the direction of the range', () => {
    const [a, b] = ['2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'];
    const [from, to] = [readTime(a), readTime(b)];
    expect(readTimeRange(`${a}..${b}`)).toEqual({ from, to, direction: 1 });
    expect(readTimeRange(`${b}..${a}`)).toEqual({ from, to, direction: -1 });
    expect(readTimeRange(a)).toEqual({ from, to: from });
  });

  it('by times combines all conditions', () => {
    const [after, before] = ['2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'];
    expect(timeCondition({ after, before })).toEqual({ $gt: readTime(after), $lt: readTime(before) });
    expect(timeCondition({ from: 1, to: 2 })).toEqual({ $gte: 1, $lte: 2 });
    expect(timeCondition({})).toBeUndefined();
  });
});
