import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '@switchyard/storage';
import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { createConfigWriter, readYaml } from '../../src';
import { PackDirectories } from '../support/pack-directory';

const directories = new PackDirectories();
let platform: TestPlatform;
let store: Store;
let directory: string;

beforeEach(async () => {
  platform = await openTestPlatform();
  store = platform.store;
  directory = join(await directories.root(), 'configs');
});
afterEach(async () => {
  await platform.close();
  await directories.clear();
});

const save = (pack: string, values: unknown, into: Pick<Store, 'configs' | 'configSchemas'> = store) =>
  createConfigWriter({ store: into, directory }).save(pack, values);
const file = (pack = 'tests') => join(directory, `${pack}.yaml`);
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
const storedValues = async () => (await store.configs.byKey('tests'))?.values;
const valuesInFile = async () => readYaml(await readFile(file(), 'utf8')).value;

describe('saving a configuration', () => {
  it('writes the record, and a file that others cannot read', async () => {
    const record = await save('tests', { a: 1 });
    expect(record).toEqual({ _id: expect.any(String), pack: 'tests', values: { a: 1 } });
    expect(await storedValues()).toEqual({ a: 1 });
    expect(await valuesInFile()).toEqual({ a: 1 });
    expect(await modeOf(file())).toBe(0o640 & ~process.umask());
    expect(await readdir(directory)).toEqual(['tests.yaml']);
  });

  it('replaces both, keeping the id', async () => {
    const { _id } = await save('tests', { a: 1, b: 2 });
    expect(await save('tests', { a: 3 })).toEqual({ _id, pack: 'tests', values: { a: 3 } });
    expect(await valuesInFile()).toEqual({ a: 3 });
    expect(await readdir(directory)).toEqual(['tests.yaml']);
  });

  it.each([
    [0o600, 0o600],
    [0o666, 0o640],
  ])('a file of mode %o has at most the permissions %o afterwards', async (before, after) => {
    await mkdir(directory);
    await writeFile(file(), 'a: 1\n');
    await chmod(file(), before);
    await save('tests', { a: 2 });
    expect(await modeOf(file())).toBe(after & ~process.umask());
  });

  it('leaves store and file the same after concurrent saves', async () => {
    const writer = createConfigWriter({ store, directory });
    await Promise.all(Array.from({ length: 20 }, (_, n) => writer.save('tests', { n })));
    expect(await storedValues()).toEqual(await valuesInFile());
    expect(await readdir(directory)).toEqual(['tests.yaml']);
  });

  it.each([
    '..',
    '.',
    '',
    'a/b',
    '../../etc/passwd',
    'a\\b',
    'a b',
    '.hidden',
    'a\u0000b',
    'a-b',
    'a.b',
    'x.',
    'default.yaml',
    'A',
    '_global',
    'x'.repeat(300),
  ])('refuses %j as the name of a pack', async (pack) => {
    await expect(save(pack, {})).rejects.toMatchObject({ code: 'pack.config-name', status: 400 });
    expect(await store.configs.list()).toEqual([]);
  });

  it.each([[null], [['a']], ['secret'], [5], [undefined]])('refuses %j instead of values', async (values) => {
    await expect(save('tests', values)).rejects.toMatchObject({ code: 'pack.config-no-object', status: 400 });
  });

  it('refuses values that are nested too deeply', async () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
    await expect(save('tests', nested(101))).rejects.toMatchObject({ code: 'schema.too-deep' });
    await save('tests', nested(100));
    expect(await valuesInFile()).toEqual(nested(100));
  });

  it('refuses values that violate the schema, and changes nothing', async () => {
    await save('tests', { port: 1 });
    await store.configSchemas.upsert({ pack: 'tests', attributes: { port: { type: 'integer' } } });
    const text = `Failed validating attribute "port" in config for pack "tests" (${file()}): 'x' is not of type 'integer'`;
    await expect(save('tests', { port: 'x' })).rejects.toThrow(text);
    expect([await storedValues(), await valuesInFile()]).toEqual([{ port: 1 }, { port: 1 }]);
  });

  it('keeps the file when the store fails', async () => {
    await save('tests', { a: 1 });
    const lost = () => Promise.reject(new Error('the store is gone'));
    const failing = { ...store, configs: { ...store.configs, replace: lost, insert: lost } };
    await expect(save('tests', { a: 2 }, failing)).rejects.toThrow('the store is gone');
    expect(await valuesInFile()).toEqual({ a: 1 });
    expect(await readdir(directory)).toEqual(['tests.yaml']);
  });

  it('keeps the store when the file cannot be written', async () => {
    await writeFile(directory, 'in the way');
    await expect(save('tests', { a: 1 })).rejects.toMatchObject({ code: 'pack.config-write', status: 503 });
    expect(await storedValues()).toBeUndefined();
  });

  it.each([[undefined], [{ a: 1 }]])('restores %j when the file cannot be renamed', async (before) => {
    if (before) await store.configs.upsert({ pack: 'tests', values: before });
    await mkdir(join(file(), 'in the way'), { recursive: true });
    await expect(save('tests', { a: 2 })).rejects.toMatchObject({ code: 'pack.config-write' });
    expect(await storedValues()).toEqual(before);
    expect(await readdir(directory)).toEqual(['tests.yaml']);
  });
});
