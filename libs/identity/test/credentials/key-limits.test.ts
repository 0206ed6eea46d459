import { SECOND_MS } from '@switchyard/base';
import { createIdentities, type ApiKeyRequest } from '@switchyard/identity';
import { handClock } from '../hand-clock';
import { memoryStore } from '../memory-store';

const UNKNOWN_KEY = 'Unauthorized - ApiKey not found.';
const config = { auth: { enable: true, token_ttl: 100 }, system_user: { user: 'stanley' } } as never;

function setUp() {
  const clock = handClock();
  const memory = memoryStore();
  const identities = createIdentities({ store: memory.store, clock, config });
  const create = async (limits: ApiKeyRequest['limits'] = {}) => {
    const { key, record } = await identities.apiKeys.create({ user: 'ada', limits });
    const ask = async (address = '192.0.2.1') => {
      const header = (name: string) => (name === 'svc-api-key' ? key : undefined);
      const nothing = () => undefined;
      const asked = await identities.authenticate({ header, query: nothing, cookie: nothing, address: () => address });
      return asked.requester;
    };
    return { ask, record };
  };
  return { ...memory, clock, identities, create };
}

const role = (name: string, ...permission_types: string[]) => ({
  _id: name,
  name,
  description: '',
  system: false,
  permission_grants: [{ id: 'g', permission_types }],
});

describe('an API key', () => {
  it('permits everything that its user may do, unless it is limited', async () => {
    const { ask } = await setUp().create();
    expect(await ask()).toMatchObject({ user: 'ada', isAdmin: true, isLimited: false });
    expect((await ask()).restriction).toBeUndefined();
  });

  it('permits what its grants say and nothing else, even where everybody is an administrator', async () => {
    const { identities, create } = setUp();
    const grant = { resource_uid: 'webhook:deploy', permission_types: ['webhook_send'] };
    const { ask } = await create({ permission_grants: [grant] });
    const requester = await ask();
    expect(requester).toMatchObject({ isAdmin: false, isLimited: true });
    const { access } = identities;
    await access.authorise(requester, 'webhook_send', 'webhook:deploy');
    expect(() => access.authorise(requester, 'webhook_send', 'webhook:other')).toThrow('does not permit this');
    expect(() => access.authorise(requester, 'rule_list')).toThrow('does not permit this');
    expect(access.visible(requester, 'webhook_view')).toEqual(['webhook:deploy']);
  });

  it('permits what its role does, follows the role, and permits nothing once the role is gone', async () => {
    const { store, create, clock, reads } = setUp();
    const stored = await store.roles.insert(role('lister', 'rule_list'));
    const { ask } = await create({ role: 'lister' });
    const may = async (permission: string) => (await ask()).restriction?.allows(permission);
    reads.roles = 0;
    expect([await may('rule_list'), await may('action_list'), reads.roles]).toEqual([true, false, 1]);
    await store.roles.replace({ ...stored, ...role('lister', 'action_list') });
    clock.advance(2 * SECOND_MS);
    expect([await may('rule_list'), await may('action_list')]).toEqual([false, true]);
    await store.roles.remove(stored._id);
    clock.advance(2 * SECOND_MS);
    expect([await may('rule_list'), await may('action_list')]).toEqual([false, false]);
  });

  it('with a role of administrators needs a user who is one', async () => {
    const { ask } = await setUp().create({ role: 'admin' });
    expect(await ask()).toMatchObject({ isAdmin: true, isLimited: true });
    const observer = await setUp().create({ role: 'observer' });
    expect(await observer.ask()).toMatchObject({ isAdmin: false });
  });

  it('looks unknown from other addresses, and after it has expired', async () => {
    const { create, clock } = setUp();
    const expires_at = clock.nowMicros() + 1_000_000;
    const { ask } = await create({ allowed_addresses: ['10.1.0.0/16', '2001:db8::5'], expires_at });
    expect([await ask('10.1.2.3'), await ask('::ffff:10.1.2.3'), await ask('2001:db8::5')]).toHaveLength(3);
    await expect(ask('10.2.0.1')).rejects.toMatchObject({ status: 401, message: UNKNOWN_KEY });
    await expect(ask('')).rejects.toMatchObject({ status: 401, message: UNKNOWN_KEY });
    clock.advance(SECOND_MS);
    await expect(ask('10.1.2.3')).rejects.toMatchObject({ status: 401, message: UNKNOWN_KEY });
  });

  it('records its last use once a minute, however often it is used', async () => {
    const { create, clock, store, writes } = setUp();
    const { ask, record } = await create();
    const started = clock.nowMicros();
    for (let request = 0; request < 59; request += 1) {
      await ask();
      clock.advance(SECOND_MS);
    }
    expect([writes.lastUses, (await store.apiKeys.get(record._id))?.last_used_at]).toEqual([1, started]);
    clock.advance(SECOND_MS);
    await ask();
    expect([writes.lastUses, (await store.apiKeys.get(record._id))?.last_used_at]).toEqual([2, clock.nowMicros()]);
  });

  it('does not read the store again when it is used within a second', async () => {
    const { create, reads, writes } = setUp();
    const { ask } = await create({ role: 'observer' });
    await ask();
    const before = { ...reads, ...writes };
    for (let request = 0; request < 100; request += 1) await ask();
    expect({ ...reads, ...writes }).toEqual(before);
  });

  it('works although its use cannot be recorded', async () => {
    const { create, store } = setUp();
    const { ask } = await create();
    store.apiKeys.noteUse = () => Promise.reject(new Error('disk full'));
    expect((await ask()).user).toBe('ada');
  });

  it('is not used by a request that is refused', async () => {
    const { create, writes } = setUp();
    const { ask } = await create({ allowed_addresses: ['10.0.0.1'] });
    await expect(ask('10.0.0.2')).rejects.toMatchObject({ status: 401 });
    expect(writes.lastUses).toBe(0);
  });

  it.each([
    [{ role: 'none' }, 'role: there is no role "none"'],
    [{ role: 'admin', permission_grants: [{ permission_types: ['rule_list'] }] }, 'role: expected either a role or'],
    [{ permission_grants: [{ permission_types: ['rule_view'] }] }, 'permission_grants.0.permission_types.0: '],
    [
      { permission_grants: [{ resource_uid: 'x', permission_types: [] }] },
      'permission_grants.0.resource_uid: "x" must',
    ],
    [{ allowed_addresses: ['10.0.0.1', '0.0.0.0/0'] }, 'allowed_addresses.1: expected an address such as 10.0.0.7'],
  ])('is not created with invalid limits: %j', async (limits, text) => {
    const { create, identities } = setUp();
    await expect(create(limits)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(text) });
    const { record } = await identities.apiKeys.create({ user: 'ada' });
    const change = identities.apiKeys.change(record, { user: 'ada', metadata: {}, enabled: true, limits });
    await expect(change).rejects.toMatchObject({ status: 400 });
  });
});
