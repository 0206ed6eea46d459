import { retrying } from '../src';

/** A clock that records the requested delays instead of waiting. */
function noting() {
  const waits: number[] = [];
  const after = (delayMs: number, callback: () => void) => {
    waits.push(delayMs);
    callback();
    return () => undefined;
  };
  return { waits, clock: { after } };
}

/** Fails this many times. */
function failing(times: number) {
  let calls = 0;
  return async () => {
    if (++calls <= times) throw new Error(`failure ${calls}`);
    return `call ${calls}`;
  };
}

describe('retrying', () => {
  it('returns the first result without waiting', async () => {
    const { waits, clock } = noting();
    expect(await retrying(failing(0), { clock, again: () => true })).toBe('call 1');
    expect(waits).toEqual([]);
  });

  it('waits longer after each failure, up to a limit', async () => {
    const { waits, clock } = noting();
    expect(await retrying(failing(8), { clock, again: () => true })).toBe('call 9');
    const longest = [500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000];
    expect(waits).toHaveLength(longest.length);
    // The jitter takes off up to a quarter.
    for (const [index, most] of longest.entries()) {
      expect(waits[index]).toBeLessThanOrEqual(most);
      expect(waits[index]).toBeGreaterThanOrEqual(most * 0.75);
    }
  });

  it('rethrows the failure of the last attempt', async () => {
    const { waits, clock } = noting();
    const seen: [string, number][] = [];
    const again = (error: unknown, attempt: number) => {
      seen.push([(error as Error).message, attempt]);
      return attempt < 2;
    };
    await expect(retrying(failing(5), { clock, again })).rejects.toThrow('failure 2');
    expect(seen).toEqual([
      ['failure 1', 1],
      ['failure 2', 2],
    ]);
    expect(waits).toHaveLength(1);
  });
});
