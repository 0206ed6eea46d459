import { newId } from '@switchyard/base';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import type { Store } from '../../src';

let platform: TestPlatform;
let grants: Store['loginGrants'];
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  grants = platform.store.loginGrants;
});

// The store must not remove anything while the test runs, so the tests vary the current time instead.
const NOW = new Date('2199-01-01T00:00:00Z');
const LATER = new Date('2199-01-01T00:05:00Z');
const aGrant = () => ({ _id: newId(), user: 'ada', expires: LATER });

describe('the grant of a login', () => {
  it('is given to one of many concurrent callers', async () => {
    const grant = await grants.insert(aGrant());
    const taken = await Promise.all(Array.from({ length: 10 }, () => grants.take(grant._id, NOW)));
    expect(taken.filter(Boolean)).toEqual([grant]);
    expect(await grants.take(grant._id, NOW)).toBeUndefined();
  });

  it('is not given to any caller once it has expired', async () => {
    const { _id } = await grants.insert(aGrant());
    expect(await grants.take(_id, LATER)).toBeUndefined();
  });

  it('cannot be replaced', async () => {
    const grant = await grants.insert(aGrant());
    await expect(grants.insert({ ...grant, user: 'eve' })).rejects.toMatchObject({ code: 'storage.duplicate' });
    expect(await grants.take(grant._id, NOW)).toEqual(grant);
  });
});
