import { isInRanges, parseHashRanges, HASH_SPACE, sensorHash } from '../../src/partition/hash-ranges';

describe('The hash of a sensor', () => {
  it.each([
    ['examples.SampleSensor', 4026535470],
    ['linux.FileWatchSensor', 1562168054],
  ])('of %s is %i', (ref, hash) => expect(sensorHash(ref)).toBe(hash));
});

describe('Hash ranges', () => {
  it.each([
    ['0..1024', [{ start: 0, end: 1024 }]],
    ['min..5|7..Max', [{ start: 0, end: 5 }, { start: 7, end: HASH_SPACE }]], // oxfmt-ignore
    ['4294967295..99999999999', [{ start: 4294967295, end: HASH_SPACE }]],
  ])('%s are %j', (text, ranges) => expect(parseHashRanges(text)).toEqual(ranges));

  it('include their start and exclude their end', () => {
    const ranges = parseHashRanges('10..20');
    expect([9, 10, 19, 20].map((hash) => isInRanges(hash, ranges))).toEqual([false, true, true, false]);
  });

  it.each(['', '5', '7..5', 'a..b', '-1..5', '1..2|', '1...5'])('"%s" are refused', (text) =>
    expect(() => parseHashRanges(text)).toThrow('not a valid hash range'),
  );
});
