import { fault } from '@switchyard/base';
import type { AccessControl } from '@switchyard/identity';
import { apiFixture, roles, type ApiFixture, type Client } from '../../support/api-fixture';

const GRANTED = 'key_value_pair:st2kv.system:granted';

/** `grace` has a grant on one item of the system. */
const access: AccessControl = {
  ...roles,
  authorise({ user }, permission, resource) {
    const single = /^key_value_pair_(list|view|set|delete)$/.test(permission);
    if (single && !(user === 'grace' && resource === GRANTED)) throw fault('auth.forbidden', { user, permission });
  },
};

let api: ApiFixture;
let root: Client;
let grace: Client;
beforeAll(async () => {
  api = await apiFixture({ access });
  root = await api.as('root');
  grace = await api.as('grace');
  for (const name of ['granted', 'hidden']) await root.put(`keys/${name}`, { name, value: name }).expect(200);
});
afterAll(() => api.close());

describe('With roles', () => {
  it('users can access the items of the system that are granted to them', async () => {
    await grace.get('keys/granted').expect(200);
    await grace.put('keys/granted', { name: 'x', value: 'new' }).expect(200);
    await grace.get('keys/hidden').expect(403);
    await grace.put('keys/hidden', { name: 'x', value: 'new' }).expect(403);
    await grace.delete('keys/hidden').expect(403);
    await grace.get('keys/unknown').expect(403);
  });

  it("lists contain granted items, and the user's own", async () => {
    await grace.put('keys/own', { name: 'x', value: 'v', scope: 'user' }).expect(200);
    const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);
    expect(names(await grace.get('keys'))).toEqual(['granted']);
    const all = await grace.get('keys?scope=all&limit=1&offset=1');
    expect([names(all), all.headers['x-total-count']]).toEqual([['own'], '2']);
    expect(names(await root.get('keys?sort=name'))).toEqual(['granted', 'hidden']);
  });

  it('own items need no grant, and administrators can access those of others', async () => {
    const body = { name: 'x', value: 'v', scope: 'user' };
    await grace.put('keys/mine', { ...body, secret: true }).expect(200);
    expect((await grace.get('keys?scope=user&prefix=mine&decrypt=true')).body[0].value).toBe('v');
    expect((await root.get('keys/mine?user=grace&decrypt=true')).body).toMatchObject({ user: 'grace', value: 'v' });
    await root.put('keys/given', { ...body, user: 'grace' }).expect(200);
    await grace.get('keys/given?scope=user').expect(200);
    await grace.get('keys/mine?user=root').expect(403);
    await root.delete('keys/mine?scope=user&user=grace').expect(204);
  });

  it.each([
    ['get', 'keys?decrypt=true', undefined, 'Decrypt option requires administrator access'],
    ['get', 'keys?scope=all&decrypt=true', undefined, 'Decrypt option requires administrator access'],
    [
      'put',
      'keys/granted',
      { name: 'x', value: 'v', encrypted: true },
      'Pre-encrypted option requires administrator access',
    ],
    ['get', 'keys?limit=-1', undefined, expect.stringContaining('limit=-1')],
    ['get', 'keys?limit=1000', undefined, 'Limit "1000" specified, maximum value is "100"'],
  ] as const)('%s %s %j is for administrators', async (verb, path, body, faultstring) => {
    const answer = await grace[verb](path, body);
    expect([answer.status, answer.body.faultstring]).toEqual([403, faultstring]);
  });
});
