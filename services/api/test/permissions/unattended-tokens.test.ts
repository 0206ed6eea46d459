import { newId } from '@switchyard/base';
import request from 'supertest';
import { apiFixture, type ApiFixture } from '../support/api-fixture';
import { grantOf } from '@switchyard/testkit/callers';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
  const permission_grants = ['action_execute@action:core:noop', 'action_list', 'action_view@action:core:noop'].map(
    (grant) => ({ id: newId(), ...grantOf(grant) }),
  );
  await api.store.roles.insert({ _id: newId(), name: 'runner', description: '', system: false, permission_grants });
});
afterAll(() => api.close());

/** Sends requests with a token of ada for unattended use. */
async function withToken(role: string) {
  const expiryMicros = (Date.now() + 3_600_000) * 1000;
  const { token } = await api.identities.tokens.issueUnattended({
    ...{ user: 'ada', serviceName: 'nightly', role, expiryMicros },
  });
  return (verb: 'get' | 'post', path: string, body?: object) =>
    request(api.url)[verb](`/v1/${path}`).set('x-auth-token', token).send(body);
}

const REFUSED = { faultstring: 'The credential of this request does not permit this.' };

describe('A token for unattended use', () => {
  it('permits only what its role permits, although its user may do everything', async () => {
    const ask = await withToken('runner');
    await ask('post', 'executions', { action: 'core.noop' }).expect(201);
    expect((await ask('post', 'executions', { action: 'core.local' }).expect(403)).body).toEqual(REFUSED);
    const { body } = await ask('get', 'actions').expect(200);
    expect(body.map(({ ref }: { ref: string }) => ref)).toEqual(['core.noop']);
    const { body: whoami } = await ask('get', 'user').expect(200);
    expect(whoami).toMatchObject({ username: 'ada', rbac: { is_admin: false } });
  });

  it('can view everything, but change nothing, with the role of observers', async () => {
    const ask = await withToken('observer');
    await ask('get', 'rules').expect(200);
    await ask('post', 'rules', { name: 'r', trigger: { type: 'x' }, action: { ref: 'core.noop' } }).expect(403);
  });

  it('cannot create API keys, whatever its role', async () => {
    for (const role of ['observer', 'admin', 'system_admin']) {
      expect((await (await withToken(role))('post', 'apikeys', {}).expect(403)).body).toEqual(REFUSED);
    }
  });
});
