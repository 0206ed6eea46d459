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

  it('with a wait, combines what is called while a call is under way', async () => {
    const calls: string[][] = [];
    const ends: (() => void)[] = [];
    const ask = together(
      async (items: readonly string[]) => {
        calls.push([...items]);
        await new Promise<void>((resolve) => ends.push(resolve));
        return items;
      },
      { waitMs: 60_000 },
    );
    const first = ask('a');
    await turns();
    const others = [ask('b')];
    await turns();
    others.push(ask('c'));
    await turns();
    expect(calls).toEqual([['a']]);
    ends[0]!();
    expect(await first).toBe('a');
    await turns();
    expect(calls).toEqual([['a'], ['b', 'c']]);
    ends[1]!();
    expect(await Promise.all(others)).toEqual(['b', 'c']);
  });

  it('with a time to gather, combines what is called within it, up to a number of calls', async () => {
    const calls: number[] = [];
    const ask = together(
      async (items: readonly number[]) => {
        calls.push(items.length);
        return items;
      },
      { gatherMs: 60_000 },
    );
    const first = ask(0);
    await turns();
    const others = Array.from({ length: 99 }, (_, index) => ask(index + 1));
    expect(await Promise.all([first, ...others])).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(calls).toEqual([100]);
    const brief = together(async (items: readonly number[]) => items, { gatherMs: 5 });
    expect(await brief(1)).toBe(1);
  });

  it('waits no longer than that for a call that hangs, and not for one that has failed', async () => {
    const calls: string[][] = [];
    const ask = together(
      (items: readonly string[]) => {
        calls.push([...items]);
        if (items.includes('bad')) return Promise.reject(new Error('refused'));
        return items.includes('hangs') ? new Promise<never>(() => undefined) : Promise.resolve(items);
      },
      { waitMs: 20 },
    );
    void ask('hangs');
    await turns();
    expect(await ask('b')).toBe('b');
    await expect(ask('bad')).rejects.toThrow('refused');
    expect(await ask('c')).toBe('c');
    expect(calls).toEqual([['hangs'], ['b'], ['bad'], ['c']]);
  });
});

/** Lets a few turns of the event loop pass. */
async function turns(): Promise<void> {
  for (let count = 0; count < 3; count++) await new Promise<void>((resolve) => setImmediate(resolve));
}
