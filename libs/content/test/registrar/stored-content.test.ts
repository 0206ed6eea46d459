import type { Store } from '@switchyard/storage';
import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { registerContent } from '../../src';
import { PackDirectories, actionFile, packFile, writeFiles } from '../support/pack-directory';
import { runnerTypes } from '../support/runner-types';
import { NONE, triggersOn } from '../support/triggers-on';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('registration in a store', () => {
  const directories = new PackDirectories();
  let platform: TestPlatform;
  let store: Store;
  let root: string;

  beforeEach(async () => {
    root = await directories.root();
    platform = await openTestPlatform();
    store = platform.store;
  });
  afterEach(async () => {
    await platform.close();
    await directories.clear();
  });

  const register = () =>
    registerContent({ store, triggers: triggersOn(store), roots: [root], runnerTypes, failOnFailure: true, logger });

  it('stores a pack, does not rewrite it unchanged, and follows its changes', async () => {
    await writeFiles(root, {
      'mine/pack.yaml': packFile('mine'),
      'mine/actions/run.yaml': actionFile('run', 'parameters:\n  a: {type: integer, default: 5}'),
    });
    expect((await register()).counts).toEqual({ ...NONE, runners: 4, actions: 1 });
    const first = [await store.packs.list(), await store.actions.list(), await store.runnerTypes.list()];
    await register();
    expect([await store.packs.list(), await store.actions.list(), await store.runnerTypes.list()]).toEqual(first);
    await writeFiles(root, { 'mine/actions/run.yaml': actionFile('run', 'description: new') });
    await register();
    const run = await store.actions.byKey('mine.run');
    expect(run).toMatchObject({ _id: first[1]?.[0]?._id, description: 'new', parameters: {} });
  });

  it('works in several processes at once', async () => {
    await writeFiles(root, { 'mine/pack.yaml': packFile('mine'), 'mine/actions/run.yaml': actionFile('run') });
    const reports = await Promise.all([register(), register(), register()]);
    expect(reports.map(({ counts }) => counts)).toEqual(Array(3).fill({ ...NONE, runners: 4, actions: 1 }));
    expect([await store.packs.count(), await store.actions.count(), await store.runnerTypes.count()]).toEqual([
      1, 1, 4,
    ]);
  });

  it('does not rewrite five hundred unchanged actions', async () => {
    for (let pack = 0; pack < 20; pack += 1) {
      const files = { [`pack_${pack}/pack.yaml`]: packFile(`pack_${pack}`) };
      for (let action = 0; action < 25; action += 1) {
        const parameters = 'parameters:\n  a: {type: string, required: true}\n  b: {type: integer, default: 5}';
        files[`pack_${pack}/actions/action_${action}.yaml`] = actionFile(`action_${action}`, parameters);
      }
      await writeFiles(root, files);
    }
    await register();
    const before = await store.actions.list({ limit: 1000 });
    expect((await register()).counts.actions).toBe(500);
    expect(await store.actions.list({ limit: 1000 })).toEqual(before);
    expect(before).toHaveLength(500);
  });
});
