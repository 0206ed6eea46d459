import { newId } from '@switchyard/base';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import type { Store } from '../../src';

let platform: TestPlatform;
let deliveries: Store['webhookDeliveries'];
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  deliveries = platform.store.webhookDeliveries;
});

// The store must not remove anything while the test runs, so the tests vary the current time instead.
const NOW = new Date('2199-01-01T00:00:00Z');
const LATER = new Date('2199-01-02T00:00:00Z');
const aDelivery = (_id: string) => ({ _id, delivery: newId(), done: false, expires: LATER });

describe('a delivery of a webhook', () => {
  it('is the first one that was claimed, until that expires', async () => {
    const id = newId();
    const first = aDelivery(id);
    expect(await deliveries.claim(first, NOW)).toEqual(first);
    expect(await deliveries.claim(aDelivery(id), NOW)).toEqual(first);
    await deliveries.finish(first);
    expect(await deliveries.claim(aDelivery(id), NOW)).toEqual({ ...first, done: true });
    const next = { ...aDelivery(id), expires: new Date('2199-01-03T00:00:00Z') };
    expect(await deliveries.claim(next, LATER)).toEqual(next);
    await deliveries.finish(first);
    expect(await deliveries.claim(aDelivery(id), LATER)).toEqual(next);
  });

  it('is one for all concurrent claims, even after an earlier one has expired', async () => {
    const id = newId();
    const claims = (now: Date) =>
      Promise.all(
        [1, 2, 3, 4].map((day) => deliveries.claim({ ...aDelivery(id), expires: new Date(+LATER + day) }, now)),
      );
    const distinct = async (now: Date) => new Set((await claims(now)).map(({ delivery }) => delivery)).size;
    expect(await distinct(NOW)).toBe(1);
    expect(await distinct(LATER)).toBe(1);
  });
});
