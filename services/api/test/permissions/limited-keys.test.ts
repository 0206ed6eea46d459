import { SECOND_MS, systemClock } from '@switchyard/base';
import type { KeyLimits } from '@switchyard/identity';
import request from 'supertest';
import { apiFixture, type ApiFixture } from '../support/api-fixture';
import { grantOf, type Grant } from '@switchyard/testkit/callers';

let api: ApiFixture;
let passedMs = 0;
beforeAll(async () => {
  const { nowMicros, ...clock } = systemClock();
  // Requests come through a proxy, which sends the address of its client.
  api = await apiFixture({
    clock: { ...clock, nowMicros: () => nowMicros() + passedMs * 1000 },
    overrides: { auth: { trusted_proxies: ['127.0.0.1'] } },
  });
});
afterAll(() => api.close());

const permitting = (...grants: Grant[]): KeyLimits => ({ permission_grants: grants.map(grantOf) });

/** Sends requests with a key of ada. */
async function withKey(limits: KeyLimits) {
  const { key, record } = await api.identities.apiKeys.create({ user: 'ada', limits });
  const ask = (verb: 'get' | 'post' | 'put' | 'delete', path: string, body?: object, from = '192.0.2.1') =>
    request(api.url)[verb](`/v1/${path}`).set({ 'svc-api-key': key, 'x-forwarded-for': from }).send(body);
  return { ask, id: record._id };
}

const REFUSED = { faultstring: 'The credential of this request does not permit this.' };

describe('A limited API key, while there are no roles', () => {
  it('runs the action that it permits, and no other', async () => {
    const { ask } = await withKey(permitting('action_execute@action:core:noop'));
    await ask('post', 'executions', { action: 'core.noop' }).expect(201);
    expect((await ask('post', 'executions', { action: 'core.local' }).expect(403)).body).toEqual(REFUSED);
    await ask('post', 'executions', { action: 'core.noop', user: 'grace' }).expect(403);
    expect((await ask('get', 'actions').expect(403)).body).toEqual(REFUSED);
    await ask('post', 'rbac/sync').expect(403);
  });

  it('lists only what it permits, and does not reveal that there is more', async () => {
    const { ask } = await withKey(permitting('action_list', 'action_view@action:core:noop'));
    const { body, headers } = await ask('get', 'actions').expect(200);
    expect([body.map(({ ref }: { ref: string }) => ref), headers['x-total-count']]).toEqual([['core.noop'], '1']);
    await ask('get', 'actions/core.noop').expect(200);
    expect((await ask('get', 'actions/core.local').expect(403)).body).toEqual(REFUSED);
    expect((await ask('get', 'actions/core.nothing').expect(403)).body).toEqual(REFUSED);
  });

  it('has no access to the items and keys of its own user', async () => {
    await api.ada.put('keys/own?scope=user', { name: 'own', value: 'v', scope: 'user' }).expect(200);
    const { ask, id } = await withKey(permitting('key_value_pair_list', 'api_key_list'));
    expect((await ask('get', 'keys?scope=user').expect(200)).body).toEqual([]);
    await ask('get', 'keys/own?scope=user').expect(403);
    await ask('put', 'keys/own?scope=user', { name: 'own', value: 'w', scope: 'user' }).expect(403);
    await ask('delete', 'keys/own?scope=user').expect(403);
    expect((await ask('get', 'apikeys').expect(200)).body).toEqual([]);
    await ask('get', `apikeys/${id}`).expect(403);
    await ask('delete', `apikeys/${id}`).expect(403);
    const granted = await withKey(permitting('key_value_pair_view@key_value_pair:st2kv.user:ada:own'));
    expect((await granted.ask('get', 'keys/own?scope=user').expect(200)).body.value).toBe('v');
  });

  it.each<[string, KeyLimits]>([
    ['permissions', permitting('api_key_create', 'api_key_all@api_key:x')],
    ['a role of administrators', { role: 'admin' }],
    ['addresses', { allowed_addresses: ['192.0.2.0/24'] }],
    ['an expiry', { expires_at: (Date.now() + 3600 * SECOND_MS) * 1000 }],
  ])('with %s cannot create or change keys, which would have no limits', async (_, limits) => {
    const { ask, id } = await withKey(limits);
    expect((await ask('post', 'apikeys', {}).expect(403)).body).toEqual(REFUSED);
    expect((await ask('put', `apikeys/${id}`, { role: null }).expect(403)).body).toEqual(REFUSED);
  });

  it('works only from its addresses, as reported by a trusted proxy', async () => {
    const { ask } = await withKey({ allowed_addresses: ['10.1.0.0/16', '2001:db8::5'] });
    await ask('get', 'user', undefined, '10.1.2.3').expect(200);
    await ask('get', 'user', undefined, '10.9.9.9, 2001:db8::5').expect(200);
    const { body } = await ask('get', 'user', undefined, '10.1.2.3, 10.2.0.1').expect(401);
    expect(body).toEqual({ faultstring: 'Unauthorized - ApiKey not found.' });
  });

  it('stops working when it expires, and its last use is stored', async () => {
    const expires_at = (Date.now() + 3600 * SECOND_MS) * 1000;
    const { ask, id } = await withKey({ expires_at });
    await ask('get', 'user').expect(200);
    const { body } = await api.ada.get(`apikeys/${id}?last_use=true`).expect(200);
    expect(body).toMatchObject({
      expires_at: expect.stringMatching(/\.\d{6}Z$/),
      last_used_at: expect.stringMatching(/\.\d{6}Z$/),
    });
    passedMs = 61 * SECOND_MS;
    await ask('get', 'user').expect(200);
    expect((await api.ada.get(`apikeys/${id}?last_use=true`).expect(200)).body.last_used_at > body.last_used_at).toBe(
      true,
    );
    passedMs = 3601 * SECOND_MS;
    expect((await ask('get', 'user').expect(401)).body).toEqual({ faultstring: 'Unauthorized - ApiKey not found.' });
    passedMs = 0;
  });
});

describe('The limits of an API key', () => {
  const limits = {
    permission_grants: [{ resource_uid: 'webhook:deploy', permission_types: ['webhook_send'] }],
    allowed_addresses: ['10.0.0.0/8'],
    expires_at: '2099-01-31T00:00:00.000000Z',
  };

  it('are stored, shown, and kept by a change that does not name them', async () => {
    const { body: made } = await api.ada.post('apikeys', { ...limits, metadata: { for: 'ci' } }).expect(201);
    expect(made).toMatchObject(limits);
    const { body: shown } = await api.ada.get(`apikeys/${made.id}`).expect(200);
    expect(shown).toMatchObject(limits);
    await api.ada.put(`apikeys/${made.id}`, { enabled: false }).expect(200);
    expect((await api.ada.get(`apikeys/${made.id}`)).body).toMatchObject({ ...limits, enabled: false });
    await api.ada.put(`apikeys/${made.id}`, { ...shown, allowed_addresses: null, expires_at: null }).expect(200);
    const { body: changed } = await api.ada.get(`apikeys/${made.id}`);
    const { permission_grants, allowed_addresses, expires_at } = changed;
    expect({ permission_grants, allowed_addresses, expires_at }).toEqual({
      permission_grants: limits.permission_grants,
    });
  });

  it.each([
    [{ role: 'nobody-has-it' }, 'role: there is no role "nobody-has-it"'],
    [{ permission_grants: [] }, '[] should be non-empty'],
    [{ permission_grants: [{ permission_types: ['rule_list'], more: 1 }] }, /'more' was unexpected/],
    [{ allowed_addresses: ['everywhere'] }, /allowed_addresses.0: expected an address such as 10.0.0.7/],
    [{ expires_at: '2099-13-31T00:00:00Z' }, 'expires_at: "2099-13-31T00:00:00Z" is not a time'],
    [{ expires_at: 'soon' }, /'soon' does not match/],
  ])('are refused with the name of the invalid field: %j', async (body, text) => {
    const answer = await api.ada.post('apikeys', body).expect(400);
    expect(answer.body.faultstring).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
  });
});
