import { deferred } from '@switchyard/base';
import { recentLookups } from '../../src/credentials/recent-lookups';
import { handClock } from '../hand-clock';

describe('recent lookups', () => {
  it('do not restore an entry that was removed during a lookup', async () => {
    const lookups = recentLookups<string>(handClock());
    const answer = deferred<string>();
    const first = lookups.get('key', () => answer.promise);
    lookups.forget('key');
    answer.resolve('old');
    await first;
    expect(await lookups.get('key', () => Promise.resolve('new'))).toBe('new');
  });

  it('do not cache misses', async () => {
    const lookups = recentLookups<string>(handClock());
    expect(await lookups.get('key', () => Promise.resolve(undefined))).toBeUndefined();
    expect(await lookups.get('key', () => Promise.resolve('there'))).toBe('there');
  });

  it('are shared by requests that come during one', async () => {
    const lookups = recentLookups<string>(handClock());
    const answer = deferred<string>();
    const find = jest.fn(() => answer.promise);
    const both = [lookups.get('key', find), lookups.get('key', find)];
    answer.resolve('there');
    expect(await Promise.all(both)).toEqual(['there', 'there']);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it.each<[string, (clock: ReturnType<typeof handClock>, forget: () => void) => void]>([
    ['is older than an entry may be', (clock) => clock.advance(1_500)],
    ['began before the key was forgotten', (_, forget) => forget()],
  ])('are not shared if one %s', async (_, change) => {
    const clock = handClock();
    const lookups = recentLookups<string>(clock);
    const hanging = deferred<string>();
    const first = lookups.get('key', () => hanging.promise);
    change(clock, () => lookups.forget('key'));
    expect(await lookups.get('key', () => Promise.resolve('new'))).toBe('new');
    hanging.resolve('old');
    expect(await first).toBe('old');
  });

  it('share failures, but no misses', async () => {
    const lookups = recentLookups<string>(handClock());
    const answer = deferred<string | undefined>();
    const missing = [lookups.get('key', () => answer.promise), lookups.get('key', () => Promise.resolve('there'))];
    answer.resolve(undefined);
    expect(await Promise.all(missing)).toEqual([undefined, 'there']);
    const failing = deferred<string>();
    const first = lookups.get('other', () => failing.promise);
    const second = lookups.get('other', () => Promise.resolve('there'));
    failing.reject(new Error('The store is gone.'));
    for (const each of [first, second]) await expect(each).rejects.toThrow('The store is gone.');
    expect(await lookups.get('other', () => Promise.resolve('there'))).toBe('there');
  });
});
