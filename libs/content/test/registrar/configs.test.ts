import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '@switchyard/storage';
import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { registerContent, type Registration } from '../../src';
import { PackDirectories, actionFile, packFile, writeFiles } from '../support/pack-directory';
import { runnerTypes } from '../support/runner-types';
import { triggersOn } from '../support/triggers-on';

const SCHEMA = `
region:
  type: string
  enum: [north, south]
token:
  type: string
  secret: true
`;

const directories = new PackDirectories();
let platform: TestPlatform;
let store: Store;
let root: string;
let logged: string[];

beforeEach(async () => {
  root = await directories.root();
  platform = await openTestPlatform();
  store = platform.store;
  logged = [];
  await writeFiles(root, {
    'packs/mine/pack.yaml': packFile('mine'),
    'packs/mine/actions/run.yaml': actionFile('run'),
    'packs/mine/config.schema.yaml': SCHEMA,
  });
});
afterEach(async () => {
  await platform.close();
  await directories.clear();
});

const register = (more: Partial<Registration> = {}) =>
  registerContent({
    store,
    triggers: triggersOn(store),
    roots: [join(root, 'packs')],
    configsDirectory: join(root, 'configs'),
    runnerTypes,
    failOnFailure: true,
    logger: { info: () => undefined, warn: () => undefined, error: (message) => void logged.push(message) },
    ...more,
  });
const configure = (text: string, pack = 'mine') => writeFiles(root, { [`configs/${pack}.yaml`]: text });
const values = async (pack = 'mine') => (await store.configs.byKey(pack))?.values;

describe('registration of configurations', () => {
  it('stores the content of files and follows their changes', async () => {
    await configure('region: north\nunknown: [1]\n');
    expect((await register()).counts).toMatchObject({ configs: 1 });
    const first = await store.configs.byKey('mine');
    expect(first).toEqual({ _id: expect.any(String), pack: 'mine', values: { region: 'north', unknown: [1] } });
    await configure('region: south\n');
    expect(await values()).toEqual(first?.values);
    await register();
    expect(await store.configs.byKey('mine')).toEqual({ ...first, values: { region: 'south' } });
  });

  it('stores them before a sensor is announced, which may start then', async () => {
    await configure('region: north\n');
    await writeFiles(root, {
      'packs/mine/sensors/probe.yaml': 'class_name: Probe\nentry_point: probe.py\n',
      'packs/mine/sensors/probe.py': 'x = 1',
    });
    const seen: unknown[] = [];
    const publish = async () => void seen.push(await values());
    await register({ publisher: { publish, publishAll: async () => undefined } });
    expect(seen).toEqual([{ region: 'north' }]);
  });

  it('is counted last, and counts 0 without configurations', async () => {
    const { counts } = await register({ configsDirectory: join(root, 'nowhere') });
    expect(Object.entries(counts).at(-1)).toEqual(['configs', 0]);
  });

  it.each([['config'], ['configs']])('can be requested alone, as %s', async (type) => {
    await configure('region: north\n');
    expect((await register({ types: [type] })).counts).toEqual({ configs: 1 });
    expect(await values()).toEqual({ region: 'north' });
    expect([await store.packs.count(), await store.actions.count()]).toEqual([1, 0]);
  });

  it('skips them when only other types are requested', async () => {
    await configure('region: north\n');
    expect((await register({ types: ['actions'] })).counts).not.toHaveProperty('configs');
    expect(await values()).toBeUndefined();
  });

  it('reads an empty file as no values', async () => {
    await configure('---\n# nothing yet\n');
    await register();
    expect(await values()).toEqual({});
  });

  it('keeps records whose file was removed', async () => {
    await configure('region: north\n');
    await register();
    await rm(join(root, 'configs'), { recursive: true });
    await register();
    expect(await values()).toEqual({ region: 'north' });
  });

  it('stores the schema with every kind of content', async () => {
    await register({ types: ['rules'] });
    const record = await store.configSchemas.byKey('mine');
    expect(record).toEqual({
      _id: expect.any(String),
      pack: 'mine',
      attributes: { region: { type: 'string', enum: ['north', 'south'] }, token: { type: 'string', secret: true } },
    });
    await writeFiles(root, { 'packs/mine/config.schema.yaml': 'region: {type: string}\n' });
    await register({ types: ['rules'] });
    expect(await store.configSchemas.byKey('mine')).toEqual({ ...record, attributes: { region: { type: 'string' } } });
    expect(await store.configSchemas.removeOf('mine')).toBe(true);
    expect(await store.configSchemas.count()).toBe(0);
  });

  it('accepts any values for a pack without a schema', async () => {
    await writeFiles(root, { 'packs/free/pack.yaml': packFile('free') });
    await configure('a: 1\n', 'free');
    await register();
    expect(await values('free')).toEqual({ a: 1 });
  });

  it.each<[string, string, RegExp]>([
    ['no choice', 'token: x\nregion: west\n', /: line 2, field "region": 'west' is not one of \['north', 'south'\]$/],
    ['a wrong secret', 'token: 55512\n', /: line 1, field "token": '\*{8}' of type 'integer' is not of type 'string'/],
    ['no values', 'my 55512 secret\n', /: line 1: the file must contain keys and values$/],
    ['no YAML', 'a: [1\n', /: line \d+: /],
    ['a key without a colon', 'region: north\nregion\nregion: north\n', /: line 2: expected ":" after a key$/],
  ])('names the file and attribute of a configuration with %s, without showing secrets', async (_, text, problem) => {
    await configure('region: north\n');
    await register();
    await configure(text);
    const named = `Failed to register config "${join(root, 'configs/mine.yaml')}" from pack "mine"`;
    const refused = register();
    await expect(refused).rejects.toMatchObject({ code: 'content.registration', status: 400 });
    await expect(refused).rejects.toThrow(named);
    await expect(refused).rejects.toThrow(problem);
    expect(logged.join()).toContain(named);
    expect(logged.join()).not.toContain('55512');
    expect(await values()).toEqual({ region: 'north' });
  });

  it('replaces a configuration that cannot be decrypted because its key is lost', async () => {
    await configure('region: north\n');
    await register();
    await rm(platform.paths.recordKey);
    platform = await platform.reopen();
    ({ store } = platform);
    await expect(values()).rejects.toMatchObject({ code: 'storage.config' });
    expect((await register()).counts).toMatchObject({ configs: 1 });
    expect(await values()).toEqual({ region: 'north' });
  });

  it('leaves out an invalid configuration but not its pack, without failOnFailure', async () => {
    await configure('region: west\n');
    await writeFiles(root, { 'packs/other/pack.yaml': packFile('other') });
    await configure('a: 1\n', 'other');
    const { counts, failures } = await register({ failOnFailure: false });
    expect(counts).toMatchObject({ actions: 1, configs: 1 });
    expect(failures).toEqual([expect.objectContaining({ pack: 'mine', type: 'config', field: 'region' })]);
    expect([await values(), await values('other')]).toEqual([undefined, { a: 1 }]);
  });

  it('leaves out the configuration of a rejected pack', async () => {
    await configure('region: north\n');
    await writeFiles(root, { 'packs/mine/pack.yaml': 'name: mine' });
    const { counts, failures } = await register({ failOnFailure: false });
    expect([counts['configs'], failures.length > 0, await values()]).toEqual([0, true, undefined]);
  });

  it.each<[string, string, RegExp]>([
    ['is empty', '---\n', /Config schema ".*config\.schema\.yaml" is empty and invalid\.$/],
    ['has no attributes', '{}\n', /is empty and invalid\.$/],
    ['is a list', '- a\n', /\['a'\] is not of type 'object'/],
    ['has an unknown type', 'region:\n  type: text\n', /line 2, field "region\.type": 'text' is not valid/],
  ])('refuses a pack whose schema %s', async (_, text, problem) => {
    await writeFiles(root, { 'packs/mine/config.schema.yaml': text });
    await expect(register()).rejects.toThrow(problem);
    expect(await store.packs.count()).toBe(0);
  });
});
