import { together } from '../src/promises';

/** A call that answers for each item and records the items of each call. */
function counting() {
  const calls: string[][] = [];
  const ask = together(async (items: readonly string[]) => {
    calls.push([...items]);
    if (items.includes('bad')) throw new Error('refused');
    return items.map((item) => item.toUpperCase());
  });
  return { calls, ask };
}

describe('together', () => {
  it('combines the calls of one turn and returns each its own result', async () => {
    const { calls, ask } = counting();
    expect(await Promise.all(['a', 'b', 'a'].map(ask))).toEqual(['A', 'B', 'A']);
    expect(calls).toEqual([['a', 'b', 'a']]);
  });

  it('fails all calls of a turn, but not later ones', async () => {
    const { calls, ask } = counting();
    const ended = await Promise.allSettled(['a', 'bad'].map(ask));
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await ask('c')).toBe('C');
    expect(calls).toEqual([['a', 'bad'], ['c']]);
  });

  it('combines the calls made during a call into the next one', async () => {
    const { calls, ask } = counting();
    const later: Promise<string>[] = [];
    const first = ask('a').then((answer) => {
      later.push(ask('b'), ask('c'));
      return answer;
    });
    await first;
    expect(await Promise.all(later)).toEqual(['B', 'C']);
    expect(calls).toEqual([['a'], ['b', 'c']]);
  });
});
