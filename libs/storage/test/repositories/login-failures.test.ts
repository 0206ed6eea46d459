import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import type { Store } from '../../src';

let platform: TestPlatform;
let failures: Store['loginFailures'];
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  failures = platform.store.loginFailures;
});

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000);

describe('failed logins', () => {
  it('are counted, also if they come at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => failures.add('a', at(0), at(60))));
    expect(await failures.get('a', at(1))).toEqual({ _id: 'a', count: 20, expires: at(60) });
    expect(await failures.get('b', at(1))).toBeUndefined();
  });

  it('are forgotten a while after the last one, and counted anew then', async () => {
    await failures.add('c', at(0), at(60));
    await failures.add('c', at(50), at(110));
    expect(await failures.get('c', at(109))).toMatchObject({ count: 2 });
    expect(await failures.get('c', at(110))).toBeUndefined();
    await failures.add('c', at(110), at(170));
    expect(await failures.get('c', at(111))).toMatchObject({ count: 1 });
  });

  it('are removed by a success', async () => {
    await failures.add('d', at(0), at(60));
    await failures.remove('d');
    expect(await failures.get('d', at(1))).toBeUndefined();
  });
});
