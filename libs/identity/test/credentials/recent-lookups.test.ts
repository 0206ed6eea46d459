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
});
