import { evaluateWithDatastore, workflowFunctions } from '@switchyard/expressions';
import { permissionsOf, type UserPermissions } from '@switchyard/model';
import { handClock, leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { createDatastore, createValueCipher, type Datastore, type ItemChange, type ItemKey } from '../src';

const everybody = { isAdmin: () => true, authorise: () => undefined };

let platform: TestPlatform;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
});

function open(more: Partial<Parameters<typeof createDatastore>[0]> = {}): {
  datastore: Datastore;
  changes: ItemChange[];
} {
  const changes: ItemChange[] = [];
  const datastore = createDatastore({
    store: platform.store,
    clock: platform.clock,
    logger: platform.logger,
    cipher: createValueCipher({ path: platform.paths.datastoreKey, mayCreate: true, enabled: true }),
    systemUser: 'stanley',
    access: everybody,
    onChange: async (change) => changes.push(change),
    ...more,
  });
  return { datastore, changes };
}

let count = 0;
const freshKey = (): ItemKey => ({ scope: 'system', name: `item${++count}` });

describe('concurrent writes', () => {
  it('each replace the value of the previous one', async () => {
    const { datastore, changes } = open();
    const key = freshKey();
    const values = Array.from({ length: 30 }, (_, index) => `v${index}`);
    const written = await Promise.all(values.map((value) => datastore.put(key, { value })));
    expect(new Set(written.map(({ id }) => id)).size).toBe(1);
    const [created] = changes.filter(({ kind }) => kind === 'create');
    const moves = changes.flatMap((change) => (change.kind === 'value_change' ? [change.payload] : []));
    expect([changes.filter(({ kind }) => kind === 'create').length, moves.length]).toEqual([1, 29]);
    // Every value but the last was replaced, by another one, exactly once.
    const last = (await datastore.get(key))?.value;
    expect(new Set([...moves.map(({ old_object: old }) => old.value), last])).toEqual(new Set(values));
    expect(created).toBeDefined();
  });

  it('remove an item only once', async () => {
    const { datastore, changes } = open();
    const key = freshKey();
    await datastore.put(key, { value: 'v' });
    const removed = await Promise.all(Array.from({ length: 10 }, () => datastore.remove(key)));
    expect(removed.filter(Boolean)).toHaveLength(1);
    expect(changes.map(({ kind }) => kind)).toEqual(['create', 'delete']);
  });
});

describe('an item with a time to live', () => {
  it('expires on time without an event', async () => {
    const clock = handClock();
    const { datastore, changes } = open({ clock });
    const key = freshKey();
    const { id, expire_timestamp: expiry } = await datastore.put(key, { value: 'v', ttlSeconds: 60 });
    expect(expiry).toBe('2030-01-01T00:01:00.000000Z');
    clock.advance(59_999);
    const query = { scope: 'system', user: '', name: key.name } as const;
    expect((await datastore.get(key))?.id).toBe(id);
    expect((await datastore.list(query)).total).toBe(1);
    clock.advance(1);
    expect(await datastore.get(key)).toBeUndefined();
    expect(await datastore.list(query)).toEqual({ items: [], total: 0 });
    expect(changes.map(({ kind }) => kind)).toEqual(['create']);
    await datastore.put(key, { value: 'w' });
    expect(changes.map(({ kind }) => kind)).toEqual(['create', 'create']);
    clock.advance(1e9);
    expect((await datastore.get(key))?.value).toBe('w');
  });
});

describe('a change', () => {
  it('is kept if its announcement fails', async () => {
    const { datastore } = open({ onChange: () => Promise.reject(new Error('no trigger today')) });
    const key = freshKey();
    await datastore.put(key, { value: 'v' });
    expect((await datastore.get(key))?.value).toBe('v');
    expect(platform.log.at(-1)).toContain('no trigger today');
  });

  it('is detected by comparing decrypted values', async () => {
    const { datastore, changes } = open();
    const key = freshKey();
    await datastore.put(key, { value: 'one', secret: true });
    await datastore.put(key, { value: 'one' });
    const { value: cipher } = await datastore.put(key, { value: 'one', secret: true });
    await datastore.put(key, { value: cipher, encrypted: true });
    await datastore.put(key, { value: 'two', secret: true });
    expect(changes.map(({ kind }) => kind)).toEqual(['create', 'update', 'update', 'update', 'update', 'value_change']);
    expect(JSON.stringify(changes.slice(-2))).not.toMatch(/"(one|two)"/);
  });
});

describe('expressions', () => {
  it('read items of their user and of the system', async () => {
    const { datastore } = open();
    await datastore.put({ scope: 'user', user: 'ada', name: 'note' }, { value: 'of ada' });
    await datastore.put({ scope: 'user', user: 'stanley', name: 'note' }, { value: 'of the system user' });
    await datastore.put({ scope: 'system', name: 'note' }, { value: 'of all' });
    const read = (context: Record<string, unknown>, scope: 'system' | 'user', name = 'note') =>
      datastore.lookupFor(context)({ scope, name, decrypt: false });
    expect(await read({ user: 'ada' }, 'user')).toBe('of ada');
    expect(await read({ user: 'bot', api_user: 'ada' }, 'user')).toBe('of ada');
    expect(await read({ user: 5, api_user: '' }, 'user')).toBe('of the system user');
    expect(await read({ user: 'grace' }, 'user')).toBeUndefined();
    expect(await read({ user: 'grace' }, 'system')).toBe('of all');
    expect(await read({ user: 'grace' }, 'system', '')).toBeUndefined();
  });

  it('read only items that their user may view', async () => {
    const asked: unknown[] = [];
    const access = {
      isAdmin: () => false,
      authorise: (...args: unknown[]) => {
        asked.push(args);
        throw new Error('not granted');
      },
    };
    const { datastore } = open({ access });
    await datastore.put({ scope: 'user', user: 'bot', name: 'own' }, { value: 'of the bot' });
    const lookup = datastore.lookupFor({ user: 'bot', api_user: 'ada' });
    expect(await lookup({ scope: 'user', name: 'own', decrypt: false })).toBe('of the bot');
    await expect(lookup({ scope: 'system', name: 'x', decrypt: false })).rejects.toThrow('not granted');
    expect(asked).toEqual([[{ user: 'bot' }, 'key_value_pair_view', 'key_value_pair:st2kv.system:x']]);
  });

  it('read only items that the limiting role of the execution permits, including those of its user', async () => {
    const grants = [{ resource_uid: 'key_value_pair:st2kv.system:open', permission_types: ['key_value_pair_view'] }];
    const permitted = permissionsOf([{ name: 'r', system: false, permission_grants: grants }]);
    const authorise = ({ restriction }: { restriction?: UserPermissions }, permission: string, uid: string) => {
      if (restriction && !restriction.allows(permission, uid)) throw new Error('not granted');
    };
    const restrictionOf = async ({ role }: { role: string }) => (role === 'r' ? permitted : undefined);
    const { datastore } = open({ access: { isAdmin: () => true, authorise }, restrictionOf });
    for (const name of ['open', 'closed']) await datastore.put({ scope: 'system', name }, { value: name });
    await datastore.put({ scope: 'user', user: 'ada', name: 'mine' }, { value: 'of ada' });
    const read = (role: string | undefined, scope: 'system' | 'user', name: string) =>
      datastore.lookupFor({ user: 'bot', api_user: 'ada', ...(role && { rbac: { role } }) })({
        scope,
        name,
        decrypt: false,
      });
    expect(await read(undefined, 'user', 'mine')).toBe('of ada');
    expect(await read('r', 'system', 'open')).toBe('open');
    await expect(read('r', 'system', 'closed')).rejects.toThrow('not granted');
    await expect(read('r', 'user', 'mine')).rejects.toMatchObject({ code: 'auth.restricted' });
    await expect(read('gone', 'system', 'open')).rejects.toThrow('not granted');
  });

  it('in workflows call the function st2kv', async () => {
    const { datastore } = open();
    await datastore.put({ scope: 'system', name: 'w.secret' }, { value: 'hush', secret: true });
    await datastore.put({ scope: 'user', user: 'ada', name: 'w' }, { value: 'of ada' });
    const evaluate = (expression: string) =>
      evaluateWithDatastore(expression, datastore.lookupFor({ user: 'ada' }), (read) => ({
        variables: {},
        functions: workflowFunctions({ variables: {}, taskStatus: () => undefined, datastore: read }),
      }));
    expect(await evaluate("<% st2kv('w') %>")).toBe('of ada');
    expect(await evaluate("<% st2kv('system.w.secret', decrypt => true) %>")).toBe('hush');
    expect(await evaluate("{{ st2kv('system.w.secret', decrypt=true) }}")).toBe('hush');
    expect(await evaluate("<% st2kv('none', default => 'x') %>")).toBe('x');
    await expect(evaluate("<% st2kv('none') %>")).rejects.toThrow('The key "none" does not exist');
    expect(platform.log.filter((line) => line.includes('User ada decrypted the value w.secret'))).toHaveLength(2);
  });
});
