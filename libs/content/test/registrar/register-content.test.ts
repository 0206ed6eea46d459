import { execFileSync } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { registerContent, type Registration } from '../../src';
import { memoryStore } from '../support/memory-store';
import { PackDirectories, actionFile, packFile, writeFiles } from '../support/pack-directory';
import { runnerTypes } from '../support/runner-types';
import { NONE, triggersOn } from '../support/triggers-on';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('registerContent', () => {
  const directories = new PackDirectories();
  afterEach(() => directories.clear());

  const register = (more: Partial<Registration> & Pick<Registration, 'store' | 'roots'>) =>
    registerContent({ triggers: triggersOn(more.store), runnerTypes, failOnFailure: true, logger, ...more });

  async function twoPacks(): Promise<string> {
    const root = await directories.root();
    await writeFiles(root, {
      'one/pack.yaml': packFile('One', 'ref: one\nfavourite_colour: red'),
      'one/actions/run.yaml': actionFile('run', 'entry_point: scripts/run.sh\ndescription:\nparameters:\n'),
      'one/actions/walk.yml': actionFile('walk', 'notify:\n  on-success:\n    channels: [chat]'),
      'one/actions/config.yaml': 'not: metadata',
      'one/actions/workflows/deep.yaml': 'version: 1.0',
      'one/actions/lib/x.pyc': 'binary',
      'one/.git/HEAD': 'ref',
      'two/pack.yaml': packFile('two'),
      'no_pack/actions/run.yaml': actionFile('run'),
      '.hidden/pack.yaml': packFile('hidden'),
    });
    return root;
  }

  it('stores packs, their actions and the runners, and counts them', async () => {
    const [store, root] = [memoryStore(), await twoPacks()];
    const report = await register({ store, roots: [root] });
    expect(report).toEqual({ counts: { ...NONE, runners: 4, actions: 2 }, failures: [], warnings: [] });
    expect(await store.packs.byKey('one')).toMatchObject({
      uid: 'pack:one',
      name: 'One',
      path: join(root, 'one'),
      files: [
        'actions/config.yaml',
        'actions/lib/x.pyc',
        'actions/run.yaml',
        'actions/walk.yml',
        'actions/workflows/deep.yaml',
        'pack.yaml',
      ].filter((file) => !file.endsWith('.pyc')),
      other: { favourite_colour: 'red' },
    });
    expect(await store.actions.byKey('one.run')).toEqual({
      _id: expect.any(String) as string,
      ref: 'one.run',
      uid: 'action:one:run',
      name: 'run',
      pack: 'one',
      enabled: true,
      runner_type: 'noop',
      entry_point: 'scripts/run.sh',
      parameters: {},
      output_schema: {},
      tags: [],
      notify: {},
      metadata_file: 'actions/run.yaml',
      content_hash: expect.any(String) as string,
    });
    expect((await store.actions.byKey('one.walk'))?.notify).toEqual({ 'on-success': { routes: ['chat'] } });
    expect((await store.runnerTypes.byKey('noop'))?.uid).toBe('runner_type:noop');
  });

  it('writes nothing when nothing changed, and keeps ids otherwise', async () => {
    const [store, root] = [memoryStore(), await twoPacks()];
    await register({ store, roots: [root] });
    const before = await store.actions.byKey('one.run');
    store.writes = 0;
    expect((await register({ store, roots: [root] })).counts).toEqual({ ...NONE, runners: 4, actions: 2 });
    expect(store.writes).toBe(0);
    await writeFiles(root, { 'one/actions/run.yaml': actionFile('run', 'description: new') });
    await register({ store, roots: [root] });
    // The action, and the fingerprint of its pack.
    expect(store.writes).toBe(2);
    expect(await store.actions.byKey('one.run')).toMatchObject({ _id: before?._id, description: 'new' });
  });

  it('restores an action that was changed through the API', async () => {
    const [store, root] = [memoryStore(), await twoPacks()];
    await register({ store, roots: [root] });
    const { content_hash: _, ...stored } = (await store.actions.byKey('one.run')) ?? ({} as never);
    await store.actions.replace({ ...stored, enabled: false });
    await register({ store, roots: [root] });
    expect((await store.actions.byKey('one.run'))?.enabled).toBe(true);
  });

  it('keeps a runner disabled', async () => {
    const [store, root] = [memoryStore(), await twoPacks()];
    await register({ store, roots: [root] });
    const noop = await store.runnerTypes.byKey('noop');
    await store.runnerTypes.replace({ ...(noop as NonNullable<typeof noop>), enabled: false });
    await register({ store, roots: [root] });
    expect((await store.runnerTypes.byKey('noop'))?.enabled).toBe(false);
  });

  it('keeps records whose file was removed', async () => {
    const [store, root] = [memoryStore(), await twoPacks()];
    await register({ store, roots: [root] });
    await rm(join(root, 'one/actions/run.yaml'));
    expect((await register({ store, roots: [root] })).counts.actions).toBe(1);
    expect(await store.actions.byKey('one.run')).toBeDefined();
  });

  it('uses the first directory that contains a pack', async () => {
    const store = memoryStore();
    const [first, second] = [await directories.root(), await twoPacks()];
    await writeFiles(first, { 'one/pack.yaml': packFile('first', 'ref: one') });
    await register({ store, roots: [first, second, '/nowhere/at/all'] });
    expect((await store.packs.list()).map(({ name }) => name).sort()).toEqual(['first', 'two']);
    expect(await store.actions.list()).toEqual([]);
  });

  it.each([
    [['action'], { runners: 4, actions: 2 }, 2],
    [['actions', 'action'], { runners: 4, actions: 2 }, 2],
    [['runner'], { runners: 4 }, 0],
    [['all'], { ...NONE, runners: 4, actions: 2 }, 2],
    [['rule'], { rule_types: 2, rules: 0 }, 0],
    [['rule_type'], { rule_types: 2 }, 0],
    [['policy'], { policy_types: 4, policies: 0 }, 0],
    [['policy_types'], { policy_types: 4 }, 0],
    [['sensor', 'trigger'], { triggers: 0, sensors: 0 }, 0],
    [[], {}, 0],
  ])('registers the types %j', async (types, counts, actions) => {
    const [store, root] = [memoryStore(), await twoPacks()];
    expect((await register({ store, roots: [root], types })).counts).toEqual(counts);
    expect(await store.actions.count()).toBe(actions);
  });

  it('registers the named packs, each once', async () => {
    const [store, root] = [memoryStore(), await twoPacks()];
    const report = await register({ store, roots: [root], packs: ['two', 'two'] });
    expect(report.counts).toEqual({ ...NONE, runners: 4, actions: 0 });
    expect(await store.packs.count()).toBe(1);
  });

  it.each([
    ['an unknown type', { types: ['nonsense'] }, /^'nonsense' is not one of \['all', 'runner', /],
    [
      'an unknown pack',
      { packs: ['one', 'nope'] },
      /^Pack "nope" not found on disk: Directory ".*\/nope" doesn't exist$/,
    ],
    ['a directory that is not a pack', { packs: ['no_pack'] }, /no_pack" doesn't contain pack\.yaml$/],
    ['a way out of the directory', { packs: ['../one'] }, /not found on disk/],
  ])('refuses %s', async (_, options, message) => {
    const [store, root] = [memoryStore(), await twoPacks()];
    await expect(register({ store, roots: [root], ...options })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message) as string,
    });
    expect(store.writes).toBe(0);
  });

  it('leaves out an invalid file and registers the others, unless failOnFailure is set', async () => {
    const [store, root] = [memoryStore(), await twoPacks()];
    await writeFiles(root, { 'two/actions/bad.yaml': 'name: bad' });
    await expect(register({ store, roots: [root] })).rejects.toMatchObject({ code: 'content.registration' });
    expect(store.writes).toBe(0);
    const report = await register({ store, roots: [root], failOnFailure: false });
    expect(report.counts.actions).toBe(2);
    expect(report.failures).toMatchObject([{ pack: 'two', field: 'runner_type' }]);
    expect((await store.packs.list()).map(({ ref }) => ref)).toEqual(['one', 'two']);
  });

  it('only checks on request, including unchanged files', async () => {
    const [store, root] = [memoryStore(), await twoPacks()];
    await writeFiles(root, { 'one/actions/run.yaml': actionFile('run', 'description: a\ndescription: b') });
    await register({ store, roots: [root] });
    await writeFiles(root, { 'two/actions/bad.yaml': 'name: bad' });
    store.writes = 0;
    const { counts, failures, warnings } = await register({
      store,
      roots: [root],
      failOnFailure: true,
      checkOnly: true,
    });
    expect([counts, failures.length, warnings.length, store.writes]).toEqual([{}, 1, 1, 0]);
  });

  it('keeps the last valid state of a resource whose file became invalid', async () => {
    const [store, root] = [memoryStore(), await twoPacks()];
    await register({ store, roots: [root] });
    store.writes = 0;
    await writeFiles(root, {
      'one/actions/run.yaml': actionFile('run', 'description: new'),
      'one/actions/walk.yml': 'name: walk',
    });
    await register({ store, roots: [root], failOnFailure: false });
    // One action, and the fingerprint of the pack.
    expect(store.writes).toBe(2);
    expect((await store.actions.byKey('one.walk'))?.runner_type).toBe('noop');
  });

  it('reports files that are not regular instead of waiting for their end', async () => {
    const [store, root, configsDirectory] = [memoryStore(), await twoPacks(), await directories.root()];
    const irregular = [`${root}/one/actions/pipe.yaml`, `${configsDirectory}/two.yaml`];
    execFileSync('mkfifo', irregular);
    await symlink('/dev/zero', `${root}/one/actions/zero.yaml`);
    const { failures } = await register({ store, roots: [root], configsDirectory, failOnFailure: false });
    expect(failures.map(({ file, text }) => [file, text]).sort()).toEqual(
      [...irregular, `${root}/one/actions/zero.yaml`].map((file) => [file, 'This is not a regular file.']).sort(),
    );
    expect((await store.actions.list()).map(({ ref }) => ref).sort()).toEqual(['one.run', 'one.walk']);
  });

  it('ignores hidden files beside the metadata', async () => {
    const [store, root] = [memoryStore(), await twoPacks()];
    await writeFiles(root, { 'one/actions/._run.yaml': '\0\0', 'one/actions/.walk.yaml': 'name: [' });
    expect((await register({ store, roots: [root] })).failures).toEqual([]);
  });

  it('refuses a second pack of the same name', async () => {
    const [store, root] = [memoryStore(), await twoPacks()];
    await writeFiles(root, { 'two/pack.yaml': packFile('One', 'ref: two') });
    const { failures } = await register({ store, roots: [root], failOnFailure: false });
    expect(failures).toMatchObject([{ pack: 'two', field: 'name', text: 'The name "One" is taken by the pack "one"' }]);
  });

  describe('with overrides', () => {
    async function withOverrides(files: Record<string, string>) {
      const [store, root, overridesDirectory] = [memoryStore(), await twoPacks(), await directories.root()];
      await writeFiles(overridesDirectory, files);
      const again = () => register({ store, roots: [root], overridesDirectory, failOnFailure: false });
      return { store, again, overridesDirectory, report: await again() };
    }
    const states = async (store: ReturnType<typeof memoryStore>) =>
      Object.fromEntries((await store.actions.list()).map(({ name, enabled }) => [name, enabled]));

    it('prefers the pack over the global file, and names over defaults', async () => {
      const { store, report } = await withOverrides({
        '_global.yaml': 'actions: {defaults: {enabled: false}}',
        'one.yaml': 'actions: {exceptions: {walk: {enabled: true}}}',
      });
      expect(await states(store)).toEqual({ run: false, walk: true });
      expect(report.counts).toEqual({ ...NONE, runners: 4, actions: 2, 'actions(overridden)': 1 });
    });

    it('follows added and removed overrides, and writes nothing while they stay', async () => {
      const { store, again, overridesDirectory } = await withOverrides({});
      await writeFiles(overridesDirectory, { 'one.yaml': 'actions: {defaults: {enabled: no}}' });
      await again();
      expect(await states(store)).toEqual({ run: false, walk: false });
      store.writes = 0;
      expect((await again()).counts['actions(overridden)']).toBe(2);
      expect(store.writes).toBe(0);
      await rm(join(overridesDirectory, 'one.yaml'));
      await again();
      expect(await states(store)).toEqual({ run: true, walk: true });
    });

    it.each([
      ['another attribute', 'actions: {defaults: {runner_type: noop}}', 'actions.defaults.runner_type'],
      ['a state that is a text', 'actions: {exceptions: {run: {enabled: "x"}}}', 'actions.exceptions.run.enabled'],
      ['an unknown kind', 'triggers: {}', 'triggers'],
    ])('refuses %s', async (_, content, field) => {
      const { report, overridesDirectory } = await withOverrides({ 'one.yaml': content });
      const file = join(overridesDirectory, 'one.yaml');
      expect(report.failures).toMatchObject([{ pack: 'one', type: 'override', file, field, line: 1 }]);
    });
  });
});
