import { join } from 'node:path';
import { findPackChanges, registerContent, type Registration } from '../../src';
import { memoryStore } from '../support/memory-store';
import { PackDirectories, actionFile, packFile, writeFiles } from '../support/pack-directory';
import { runnerTypes } from '../support/runner-types';
import { triggersOn } from '../support/triggers-on';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('findPackChanges', () => {
  const directories = new PackDirectories();
  afterEach(() => directories.clear());

  async function registered() {
    const root = await directories.root();
    await writeFiles(root, {
      'packs/one/pack.yaml': packFile('one'),
      'packs/one/actions/run.yaml': actionFile('run'),
      'packs/one/lib/code.py': 'x = 1',
      'packs/one/README.md': 'text',
      'packs/two/pack.yaml': packFile('two'),
    });
    const store = memoryStore();
    const places = {
      store,
      roots: [join(root, 'packs')],
      runnerTypes,
      overridesDirectory: join(root, 'overrides'),
      configsDirectory: join(root, 'configs'),
    };
    const register = (more: Partial<Registration> = {}) =>
      registerContent({ ...places, triggers: triggersOn(store), failOnFailure: false, logger, ...more });
    const changed = async () => (await findPackChanges(places)).changed;
    return { root, store, places, register, changed };
  }

  it('reports every pack as changed before it is registered, and none afterwards', async () => {
    const { places, register } = await registered();
    expect(await findPackChanges(places)).toEqual({ changed: ['one', 'two'], unchanged: [] });
    await register();
    expect(await findPackChanges(places)).toEqual({ changed: [], unchanged: ['one', 'two'] });
  });

  it.each([
    ['a file that is registered', { 'packs/one/actions/run.yaml': actionFile('run', 'description: other') }],
    ['a new file', { 'packs/one/actions/walk.yaml': actionFile('walk') }],
    ['a new file that is only listed in the record of the pack', { 'packs/one/other.txt': '' }],
    ['code that sensors use', { 'packs/one/lib/code.py': 'x = 22' }],
    ['an override', { 'overrides/one.yaml': 'actions: { defaults: { enabled: false } }' }],
    ['the configuration', { 'configs/one.yaml': 'key: value' }],
  ])('detects a change of %s', async (_what, files) => {
    const { root, register, changed } = await registered();
    await register();
    await writeFiles(root, files);
    expect(await changed()).toEqual(['one']);
    await register();
    expect(await changed()).toEqual([]);
  });

  it('reports a pack again when the runners have changed', async () => {
    const { places, register } = await registered();
    await register();
    const others = runnerTypes.map((runner) => ({ ...runner, runner_parameters: { more: { type: 'string' } } }));
    expect((await findPackChanges({ ...places, runnerTypes: others })).changed).toEqual(['one', 'two']);
  });

  it('does not treat a pack as registered if only some kinds of its content are', async () => {
    const { root, register, changed } = await registered();
    await register();
    await writeFiles(root, { 'packs/one/actions/walk.yaml': actionFile('walk') });
    await register({ types: ['alias'] });
    expect(await changed()).toEqual(['one']);
  });

  it('does not treat a pack as registered if its registration was interrupted', async () => {
    const { store, register, changed } = await registered();
    await expect(register({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
    expect(await changed()).toContain('one');
    expect(await store.actions.list()).toEqual([]);
  });
});
