import type { Publisher } from '@switchyard/messaging';
import { registerContent } from '../../src';
import { memoryStore } from '../support/memory-store';
import { PackDirectories, packFile, writeFiles, type Files } from '../support/pack-directory';
import { runnerTypes } from '../support/runner-types';
import { triggersOn } from '../support/triggers-on';

const directories = new PackDirectories();
afterEach(() => directories.clear());

const aliasFile = (name: string, more = '') =>
  `name: ${name}\naction_ref: core.noop\nformats: ['${name} {{what}}']\n${more}`;

async function site(files: Files) {
  const root = await directories.root();
  await writeFiles(root, { 'one/pack.yaml': packFile('one'), ...files });
  const store = memoryStore();
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const told: string[] = [];
  const publisher = {
    publish: async ({ exchange, routingKey, body }: { exchange: string; routingKey: string; body: unknown }) => {
      told.push(`${exchange} ${routingKey} ${(body as { ref: string }).ref}`);
    },
  } as unknown as Publisher;
  const register = (overridesDirectory?: string) =>
    registerContent({
      ...{ store, triggers: triggersOn(store), roots: [root], runnerTypes, failOnFailure: true, logger, publisher },
      ...(overridesDirectory === undefined ? {} : { overridesDirectory }),
      types: ['alias'],
    });
  return { root, store, register, told };
}

describe('aliases of a pack', () => {
  it('are registered and announced, again only when they change', async () => {
    const { root, store, register, told } = await site({
      'one/aliases/go.yaml': aliasFile('go', 'ack: {format: Going.}'),
    });
    expect((await register()).counts).toEqual({ aliases: 1 });
    const stored = await store.actionAliases.byKey('one.go');
    expect(stored).toEqual({
      _id: expect.any(String) as string,
      ref: 'one.go',
      uid: 'action_alias:one:go',
      name: 'go',
      pack: 'one',
      enabled: true,
      action_ref: 'core.noop',
      formats: ['go {{what}}'],
      ack: { format: 'Going.' },
      result: {},
      extra: {},
      immutable_parameters: {},
      metadata_file: 'aliases/go.yaml',
    });
    store.writes = 0;
    await register();
    expect(store.writes).toBe(0);
    await writeFiles(root, { 'one/aliases/go.yaml': aliasFile('go') });
    await register();
    expect(await store.actionAliases.byKey('one.go')).toEqual({ ...stored, ack: {} });
    expect(told).toEqual(['actionalias create one.go', 'actionalias update one.go']);
  });

  it('can be disabled by an override', async () => {
    const { root, store, register } = await site({ 'one/aliases/go.yaml': aliasFile('go') });
    await writeFiles(root, { 'overrides/one.yaml': 'aliases: {exceptions: {go: {enabled: false}}}\n' });
    expect((await register(`${root}/overrides`)).counts).toEqual({ aliases: 1, 'aliases(overridden)': 1 });
    expect(await store.actionAliases.byKey('one.go')).toMatchObject({ enabled: false });
  });

  it.each([
    ['no action', 'name: x\nformats: []\n', "'action_ref' is a required property"],
    [
      'a format that is not an expression',
      aliasFile('x').replace('{{what}}', '('),
      'line 3, field "formats": Invalid alias format "x ("',
    ],
    ['an ill-typed field', aliasFile('x', 'ack: {enabled: 7}'), 'line 4, field "ack.enabled"'],
    ['another pack', aliasFile('x', 'pack: two'), 'field "pack" is different'],
  ])('are refused with %s, naming the location', async (_, file, text) => {
    const { store, register } = await site({ 'one/aliases/x.yaml': file });
    await expect(register()).rejects.toThrow(text);
    expect(await store.actionAliases.list()).toEqual([]);
  });
});
