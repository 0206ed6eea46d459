import { newId } from '@switchyard/base';
import type { RunnerTypeRecord } from '@switchyard/model';
import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { remembering } from '../../src/repositories/remembering';

describe('records that are remembered', () => {
  let platform: TestPlatform;
  let now = 0;
  const runner = (enabled: boolean): RunnerTypeRecord =>
    ({ _id: newId(), name: 'mine', enabled, runner_parameters: {} }) as unknown as RunnerTypeRecord;
  /** As a process of its own on the same store. */
  const process = () => remembering(platform.store.runnerTypes, 1000, () => now);

  beforeEach(async () => {
    platform = await openTestPlatform();
    now = 0;
  });
  afterEach(() => platform.close());

  it('are as this process has changed them, at once', async () => {
    const mine = process();
    const record = await mine.insert(runner(true));
    expect(await mine.byKey('mine')).toMatchObject({ enabled: true });
    await mine.replace({ ...record, enabled: false });
    expect(await mine.byKey('mine')).toMatchObject({ enabled: false });
    await mine.remove(record._id);
    expect(await mine.byKey('mine')).toBeUndefined();
    await mine.upsert({ ...runner(true), name: 'mine' });
    expect(await mine.find('mine')).toMatchObject({ enabled: true });
  });

  it('are as another process has changed them, after a while', async () => {
    const [mine, other] = [process(), process()];
    const record = await other.insert(runner(true));
    expect(await mine.byKey('mine')).toMatchObject({ enabled: true });
    await other.replace({ ...record, enabled: false });
    now = 999;
    expect(await mine.byKey('mine')).toMatchObject({ enabled: true });
    now = 1000;
    expect(await mine.byKey('mine')).toMatchObject({ enabled: false });
  });

  it('are looked for each time while they are missing', async () => {
    const [mine, other] = [process(), process()];
    expect(await mine.byKey('mine')).toBeUndefined();
    await other.insert(runner(true));
    expect(await mine.byKey('mine')).toMatchObject({ name: 'mine' });
  });
});
