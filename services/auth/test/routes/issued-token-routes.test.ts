import { openAccess } from '@switchyard/identity';
import request from 'supertest';
import { madeAuthService } from '../made-auth-service';

const access = { ...openAccess, enabled: true, isAdmin: (user: string) => user === 'root' };
const made = madeAuthService({ mode: 'proxy', trusted_proxies: '127.0.0.1' }, {}, { access });
const { service, audited, url } = made;

beforeAll(() => service.start());
afterAll(() => service.stop());

const login = async (user: string): Promise<{ id: string; token: string }> => {
  const headers = { 'x-forwarded-user': user, 'user-agent': 'loom/1' };
  return (await request(url()).post('/v1/tokens').set(headers).send({})).body;
};
const as = (token: string, method: 'get' | 'delete', path: string) =>
  request(url())[method](`/v1/issued_tokens${path}`).set('x-auth-token', token);
const ids = (body: readonly { id: string }[]) => body.map(({ id }) => id);

describe('tokens', () => {
  it('are listed for their user, without the token or its hash', async () => {
    const ada = await login('ada');
    await login('bob');
    const { status, body, headers } = await as(ada.token, 'get', '');
    expect([status, headers['x-total-count'], body]).toEqual([
      200,
      '1',
      [
        {
          id: ada.id,
          user: 'ada',
          created_at: expect.stringMatching(/^\d{4}-.*Z$/),
          expiry: expect.stringMatching(/^\d{4}-.*Z$/),
          service: false,
          metadata: {},
          address: '127.0.0.1',
          client: 'loom/1',
        },
      ],
    ]);
  });

  it('are listed in pages', async () => {
    const { token } = await login('carol');
    const second = await login('carol');
    const { body, headers } = await as(token, 'get', '?limit=1&offset=1');
    expect([ids(body), headers['x-total-count'], headers['x-limit']]).toEqual([[second.id], '2', '1']);
    expect((await as(token, 'get', '?limit=-1')).status).toBe(403);
  });

  it('are revoked by their user, even the one in use', async () => {
    const [first, second] = [await login('dora'), await login('dora')];
    expect((await as(first.token, 'delete', `/${second.id}`)).status).toBe(204);
    expect((await as(second.token, 'get', '')).status).toBe(401);
    expect((await as(first.token, 'delete', `/${first.id}`)).status).toBe(204);
    expect((await as(first.token, 'get', '')).status).toBe(401);
    expect(audited()).toContainEqual(
      expect.objectContaining({ message: 'Token revoked.', id: second.id, user: 'dora', requester: 'dora' }),
    );
  });

  it('are revoked all at once, without those of other users', async () => {
    const [first, second, other] = [await login('eve'), await login('eve'), await login('fay')];
    const { status, body } = await as(first.token, 'delete', '');
    expect([status, body]).toEqual([200, { revoked: 2 }]);
    for (const { token } of [first, second]) expect((await as(token, 'get', '')).status).toBe(401);
    expect((await as(other.token, 'get', '')).status).toBe(200);
  });

  it('of other users appear not to exist', async () => {
    const [gil, hal] = [await login('gil'), await login('hal')];
    const answers = [];
    for (const id of [gil.id, '0'.repeat(24), gil.token]) {
      const { status, body } = await as(hal.token, 'delete', `/${id}`);
      answers.push([status, body]);
    }
    expect(answers).toEqual(Array(3).fill([404, { faultstring: 'There is no token with this id.' }]));
    for (const user of ['gil', 'nobody']) {
      for (const method of ['get', 'delete'] as const) {
        const { status, body } = await as(hal.token, method, `?user=${user}`);
        expect([status, body.faultstring]).toEqual([403, 'Administrator access required']);
      }
    }
    expect((await as(gil.token, 'get', '')).status).toBe(200);
    expect(made.lines().join('')).not.toContain(gil.token);
  });

  it('are listed and revoked for others by administrators', async () => {
    const [root, ida, second] = [await login('root'), await login('ida'), await login('ida')];
    expect(ids((await as(root.token, 'get', '?user=ida')).body)).toEqual([ida.id, second.id]);
    expect((await as(root.token, 'delete', `/${ida.id}`)).status).toBe(204);
    expect((await as(root.token, 'delete', '?user=ida')).body).toEqual({ revoked: 1 });
    expect((await as(second.token, 'get', '')).status).toBe(401);
    expect((await as(root.token, 'get', '')).status).toBe(200);
  });

  it.each(['get', 'delete'] as const)('are not accessible without a credential (%s)', async (method) => {
    for (const path of ['', '?user=ada', `/${'0'.repeat(24)}`]) {
      if (method === 'get' && path.startsWith('/')) continue;
      expect((await request(url())[method](`/v1/issued_tokens${path}`)).status).toBe(401);
    }
  });
});

describe('a token for unattended use', () => {
  const create = (token: string, body: object) =>
    request(url()).post('/v1/issued_tokens').set({ 'x-auth-token': token, 'user-agent': 'loom/1' }).send(body);
  const wanted = { service: 'nightly', role: 'observer' };

  it('is created, listed with its owner, service and role, and revoked', async () => {
    const { token } = await login('jo');
    const { status, body } = await create(token, wanted);
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ user: 'jo', token: expect.stringMatching(/^.{32}$/) }),
    ]);
    const listed = (await as(token, 'get', '')).body.find(({ id }: { id: string }) => id === body.id);
    expect(listed).toMatchObject({ user: 'jo', service_name: 'nightly', role: 'observer', service: false });
    const days = (Date.parse(listed.expiry) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(365);
    expect(JSON.stringify([listed, audited()])).not.toContain(body.token);
    expect(audited()).toContainEqual(
      expect.objectContaining({
        message: 'Token issued.',
        id: body.id,
        user: 'jo',
        service_name: 'nightly',
        role: 'observer',
      }),
    );
    expect((await as(token, 'delete', `/${body.id}`)).status).toBe(204);
    expect((await as(body.token, 'get', '')).status).toBe(401);
  });

  it('cannot list, create or revoke tokens, even with the role of administrators', async () => {
    const { id, token } = await login('kim');
    for (const role of ['observer', 'admin', 'system_admin']) {
      const { body } = await create(token, { ...wanted, role });
      const refused = [
        await as(body.token, 'get', ''),
        await as(body.token, 'delete', `/${id}`),
        await create(body.token, wanted),
      ];
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    }
  });

  it.each([
    [{ service: 'x' }, /'role' is a required property/],
    [{ role: 'observer' }, /'service' is a required property/],
    [{ ...wanted, role: 'nobody-has-it' }, /^role: there is no role "nobody-has-it"$/],
    [{ ...wanted, expires_at: 'soon' }, /^expires_at: "soon" is not a time$/],
    [{ ...wanted, expires_at: '2001-01-01T00:00:00Z' }, /^expires_at: expected a time within the next ten years$/],
    [{ ...wanted, expires_at: '2999-01-01T00:00:00Z' }, /^expires_at: expected a time within the next ten years$/],
    [{ ...wanted, user: 'root' }, /'user' was unexpected/],
  ])('is refused for %j', async (body, text) => {
    const { token } = await login('lee');
    const answer = await create(token, body);
    expect([answer.status, answer.body.faultstring]).toEqual([400, expect.stringMatching(text)]);
  });
});
