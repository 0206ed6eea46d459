import { mergeByTime, type TimedSource } from '../src/merge-by-time';

interface Thing {
  timestamp: number;
  name: string;
}

/** @param timestamps in the order of the source */
function source(name: string, timestamps: readonly number[], opened: string[] = []): TimedSource<Thing> {
  return {
    from: timestamps[0]!,
    async *read() {
      opened.push(name);
      for (const timestamp of timestamps) yield { timestamp, name: `${name}${timestamp}` };
    },
  };
}

async function merged(...sources: TimedSource<Thing>[]): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of mergeByTime(sources)) names.push(name);
  return names;
}

describe('merging by time', () => {
  it.each<[string, Record<string, number[]>, string]>([
    ['orders by time', { a: [1, 4], b: [2, 3] }, 'a1 b2 b3 a4'],
    ['orders equal times by source', { a: [1, 2], b: [1, 2] }, 'a1 b1 a2 b2'],
    ['keeps the order of a source whose clock went back', { a: [5, 1, 6], b: [2, 7] }, 'b2 a5 a1 a6 b7'],
    ['is empty without sources', {}, ''],
  ])('%s', async (_title, given, expected) => {
    const sources = Object.entries(given).map(([name, timestamps]) => source(name, timestamps));
    expect((await merged(...sources)).join(' ')).toBe(expected);
  });

  it('merges many overlapping sources', async () => {
    const times = Array.from({ length: 300 }, (_, n) => [n, n + 1000, n + 2000]);
    const names = await merged(...times.map((each) => source('x', each)).reverse());
    const sorted = times.flat().sort((a, b) => a - b);
    expect(names).toEqual(sorted.map((each) => `x${each}`));
  });

  it('does not read a source before its time', async () => {
    const opened: string[] = [];
    const sources = [source('late', [9], opened), source('early', [1, 2], opened)];
    const items = mergeByTime(sources);
    await items.next();
    await items.next();
    expect(opened).toEqual(['early']);
    expect((await items.next()).value).toMatchObject({ name: 'late9' });
  });
});
