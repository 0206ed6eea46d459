import { aRunnerType, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { remembering } from '../../src/repositories/remembering';

describe('cached records', () => {
  let platform: TestPlatform;
  let now = 0;
  const runner = (enabled: boolean) => aRunnerType({ name: 'mine', enabled });
  /** Like a separate process on the same store. */
  const process = () => remembering(platform.store.runnerTypes, 1000, () => now);

  beforeEach(async () => {
    platform = await openTestPlatform();
    now = 0;
  });
  afterEach(() => platform.close());

  it('reflect changes by this process immediately', async () => {
    const mine = process();
    const record = await mine.insert(runner(true));
    expect(await mine.byKey('mine')).toMatchObject({ enabled: true });
    await mine.replace({ ...record, enabled: false });
    expect(await mine.byKey('mine')).toMatchObject({ enabled: false });
    await mine.remove(record._id);
    expect(await mine.byKey('mine')).toBeUndefined();
    await mine.upsert(runner(true));
    expect(await mine.find('mine')).toMatchObject({ enabled: true });
  });

  it('reflect changes by another process after a while', async () => {
    const [mine, other] = [process(), process()];
    const record = await other.insert(runner(true));
    expect(await mine.byKey('mine')).toMatchObject({ enabled: true });
    await other.replace({ ...record, enabled: false });
    now = 999;
    expect(await mine.byKey('mine')).toMatchObject({ enabled: true });
    now = 1000;
    expect(await mine.byKey('mine')).toMatchObject({ enabled: false });
  });

  it('are looked up each time while missing', async () => {
    const [mine, other] = [process(), process()];
    expect(await mine.byKey('mine')).toBeUndefined();
    await other.insert(runner(true));
    expect(await mine.byKey('mine')).toMatchObject({ name: 'mine' });
  });
});
