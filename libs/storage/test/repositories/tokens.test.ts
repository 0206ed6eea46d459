import { HOUR_MS, newId } from '@switchyard/base';
import type { TokenRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import type { Store } from '../../src';
import { serviceTokensInMemory } from '../../src/repositories/service-tokens';

let platform: TestPlatform;
let store: Store;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  store = platform.store;
});

const now = new Date();
const inserted = async (user: string, hours: number, service = false): Promise<TokenRecord> => {
  const [_id, expiry] = [newId(), new Date(now.getTime() + hours * HOUR_MS)];
  return store.tokens.insert({ _id, user, expiry, token_hash: `hash of ${_id}`, metadata: {}, service });
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

describe('tokens of actions', () => {
  it('are listed in order with the others of their user, in pages', async () => {
    const all = [];
    for (const service of [true, false, true, false]) all.push(await inserted('eva', 1, service));
    await inserted('eva', -1, true);
    expect(await store.tokens.ofUser('eva', now)).toEqual(all);
    expect(await store.tokens.ofUser('eva', now, { limit: 2, offset: 1 })).toEqual(all.slice(1, 3));
    expect(await store.tokens.countOfUser('eva', now)).toBe(4);
  });

  it('can be found, extended and removed', async () => {
    const [first, second] = [await inserted('fred', 1, true), await inserted('fred', 1, true)];
    const expiry = new Date(now.getTime() + 2 * HOUR_MS);
    expect(await store.tokens.extend(first._id, expiry)).toBe(true);
    expect(await store.tokens.get(first._id)).toEqual({ ...first, expiry });
    expect(await store.tokens.byHash(first.token_hash)).toEqual({ ...first, expiry });
    expect([await store.tokens.remove(first._id), await store.tokens.remove(first._id)]).toEqual([true, false]);
    expect(await store.tokens.byHash(first.token_hash)).toBeUndefined();
    expect(await store.tokens.removeOfUser('fred')).toBe(1);
    expect(await store.tokens.get(second._id)).toBeUndefined();
  });

  it('are removed by their ids, with others and alone', async () => {
    const all = [await inserted('gail', 1, true), await inserted('gail', 1), await inserted('gail', 1, true)];
    const ids = all.map(({ _id }) => _id);
    expect(await store.tokens.removeAll([ids[0]!, ids[1]!, newId()])).toBe(2);
    expect(await Promise.all(ids.map((id) => store.tokens.get(id)))).toEqual([undefined, undefined, all[2]]);
    expect([await store.tokens.removeAll([ids[2]!]), await store.tokens.removeAll([ids[2]!])]).toEqual([1, 0]);
    expect(await store.tokens.byHash(all[2]!.token_hash)).toBeUndefined();
  });

  it('end with the process that alone uses the store', async () => {
    const { store, reopen } = await openTestPlatform();
    const tokens = await Promise.all(
      [true, false].map((service) => {
        const [_id, expiry] = [newId(), new Date(now.getTime() + HOUR_MS)];
        return store.tokens.insert({ _id, user: 'gus', expiry, token_hash: _id, metadata: {}, service });
      }),
    );
    const after = await reopen();
    later(() => after.close());
    expect(await after.store.tokens.ofUser('gus', now)).toHaveLength(store.isExclusive ? 1 : tokens.length);
  });
});

it('expired tokens in memory are removed when there are many', async () => {
  let nowMs = 0;
  const removed = { removeOfUser: async () => 0 } as never;
  const tokens = serviceTokensInMemory(removed, () => nowMs);
  const add = (index: number) =>
    tokens.insert({
      ...{ _id: `${index}`, user: 'hal', token_hash: `${index}`, metadata: {}, service: true },
      expiry: new Date(1000),
    });
  for (let index = 0; index < 1000; index++) await add(index);
  nowMs = 2000;
  await add(1000);
  expect(await tokens.removeOfUser('hal')).toBe(1);
});
