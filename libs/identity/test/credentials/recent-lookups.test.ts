import { deferred } from '@switchyard/base';
import { recentLookups } from '../../src/credentials/recent-lookups';
import { handClock } from '../hand-clock';

describe('recent look-ups', () => {
  it('do not bring back what was taken out while a look-up was under way', async () => {
    const lookups = recentLookups<string>(handClock());
    const answer = deferred<string>();
    const first = lookups.get('key', () => answer.promise);
    lookups.forget('key');
    answer.resolve('old');
    await first;
    expect(await lookups.get('key', () => Promise.resolve('new'))).toBe('new');
  });

  it('do not keep that something was not found', async () => {
    const lookups = recentLookups<string>(handClock());
    expect(await lookups.get('key', () => Promise.resolve(undefined))).toBeUndefined();
    expect(await lookups.get('key', () => Promise.resolve('there'))).toBe('there');
  });
});
