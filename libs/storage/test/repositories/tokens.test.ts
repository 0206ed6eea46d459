import { HOUR_MS, newId } from '@switchyard/base';
import type { TokenRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import type { Store } from '../../src';

let platform: TestPlatform;
let store: Store;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  store = platform.store;
});

const now = new Date();
const inserted = async (user: string, hours: number): Promise<TokenRecord> => {
  const [_id, expiry] = [newId(), new Date(now.getTime() + hours * HOUR_MS)];
  return store.tokens.insert({ _id, user, expiry, token_hash: `hash of ${_id}`, metadata: {}, service: false });
};

describe('tokens of a user', () => {
  it('are listed and counted until they expire, the oldest first, in pages', async () => {
    const [first, second] = [await inserted('ada', 2), await inserted('ada', 1)];
    await inserted('ada', 0);
    await inserted('ada', -1);
    await inserted('bob', 1);
    expect(await store.tokens.ofUser('ada', now)).toEqual([first, second]);
    expect(await store.tokens.ofUser('ada', now, { limit: 1, offset: 1 })).toEqual([second]);
    expect([await store.tokens.countOfUser('ada', now), await store.tokens.countOfUser('eve', now)]).toEqual([2, 0]);
  });

  it('are removed together, also those that have expired', async () => {
    const [valid, expired, other] = [await inserted('carl', 1), await inserted('carl', -1), await inserted('dora', 1)];
    expect(await store.tokens.removeOfUser('carl')).toBe(2);
    const left = [valid, expired, other].map(({ _id }) => store.tokens.get(_id));
    expect(await Promise.all(left)).toEqual([undefined, undefined, other]);
  });
});
