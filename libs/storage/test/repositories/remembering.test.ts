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

  it('are read once for concurrent callers', async () => {
    await process().insert(runner(true));
    let reads = 0;
    const { byKey } = platform.store.runnerTypes;
    const counting = { ...platform.store.runnerTypes, byKey: (key: string) => byKey(key).finally(() => (reads += 1)) };
    const mine = remembering(counting, 1000, () => now);
    const found = await Promise.all(Array.from({ length: 5 }, () => mine.byKey('mine')));
    expect(found.map((record) => record?.name)).toEqual(Array(5).fill('mine'));
    expect(reads).toBe(1);
  });

  it('are read again after an error', async () => {
    await process().insert(runner(true));
    let fails = true;
    const { byKey } = platform.store.runnerTypes;
    const failing = (key: string) => (fails ? Promise.reject(new Error('gone')) : byKey(key));
    const mine = remembering({ ...platform.store.runnerTypes, byKey: failing }, 1000, () => now);
    await expect(mine.byKey('mine')).rejects.toThrow('gone');
    fails = false;
    expect(await mine.byKey('mine')).toMatchObject({ name: 'mine' });
  });

  it('are looked up each time while missing', async () => {
    const [mine, other] = [process(), process()];
    expect(await mine.byKey('mine')).toBeUndefined();
    await other.insert(runner(true));
    expect(await mine.byKey('mine')).toMatchObject({ name: 'mine' });
  });
});
