import { registerContent } from '../../src';
import { memoryStore } from '../support/memory-store';
import { PackDirectories, actionFile, packFile, writeFiles, type Files } from '../support/pack-directory';
import { runnerTypes } from '../support/runner-types';
import { triggersOn } from '../support/triggers-on';

const directories = new PackDirectories();
afterEach(() => directories.clear());

const limit = (name: string, more = '', action = 'one.run') =>
  `name: ${name}\nresource_ref: ${action}\npolicy_type: action.concurrency\nparameters: {threshold: 2}\n${more}`;

async function site(files: Files) {
  const root = await directories.root();
  await writeFiles(root, {
    'one/pack.yaml': packFile('one'),
    'one/actions/run.yaml': actionFile('run'),
    'two/pack.yaml': packFile('two'),
    ...files,
  });
  const store = memoryStore();
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const register = (failOnFailure = true) =>
    registerContent({ store, triggers: triggersOn(store), roots: [root], runnerTypes, failOnFailure, logger });
  return { root, store, register };
}

describe('policies of a pack', () => {
  it('are registered, and rewritten only when they change', async () => {
    const { root, store, register } = await site({ 'one/policies/limit.yaml': limit('limit', 'enabled: false') });
    expect((await register()).counts).toMatchObject({ policies: 1, policy_types: 4 });
    const stored = await store.policies.byKey('one.limit');
    expect(stored).toEqual({
      _id: expect.any(String) as string,
      ref: 'one.limit',
      uid: 'policy:one:limit',
      name: 'limit',
      pack: 'one',
      enabled: false,
      resource_ref: 'one.run',
      policy_type: 'action.concurrency',
      parameters: { threshold: 2, action: 'delay' },
      metadata_file: 'policies/limit.yaml',
    });
    store.writes = 0;
    await register();
    expect(store.writes).toBe(0);
    await writeFiles(root, { 'one/policies/limit.yaml': limit('limit') });
    await register();
    expect(await store.policies.byKey('one.limit')).toEqual({ ...stored, enabled: true });
  });

  it.each([
    [
      'a type that does not exist',
      limit('x').replace('concurrency', 'nope'),
      'Referenced policy_type "action.nope" doesnt exist',
    ],
    ['no room', limit('x').replace('2', '0'), '0 is less than the minimum of 1'],
    ['another pack', limit('x', 'pack: two'), 'field "pack" is different'],
  ])('are refused with %s', async (_, file, text) => {
    const { store, register } = await site({ 'one/policies/x.yaml': file });
    await expect(register()).rejects.toThrow(text);
    expect(await store.policies.list()).toEqual([]);
  });

  it('are left out when the action already has one of the type', async () => {
    const { store, register } = await site({
      'one/policies/limit.yaml': limit('limit'),
      'two/policies/other.yaml': limit('other'),
    });
    const { failures } = await register(false);
    expect(failures.map(({ pack }) => pack)).toEqual(['two']);
    expect((await store.policies.list()).map(({ ref }) => ref)).toEqual(['one.limit']);
    // Also when the first one is already stored.
    expect((await register(false)).failures).toHaveLength(1);
  });
});

describe('the pool of an action', () => {
  it('is registered', async () => {
    const { store, register } = await site({ 'one/actions/run.yaml': actionFile('run', 'pool: gpu') });
    await register();
    expect((await store.actions.byKey('one.run'))?.pool).toBe('gpu');
  });

  it('must be a valid pool name', async () => {
    const { register } = await site({ 'one/actions/run.yaml': actionFile('run', 'pool: a b') });
    await expect(register()).rejects.toThrow('The runner pool "a b" is not valid');
  });
});
