import { defaultDataLimits, fault, systemClock } from '@switchyard/base';
import { loadConfig } from '@switchyard/config';
import { createHttpApp, type ServerSettings } from '@switchyard/http';
import { createIdentities, openAccess, type AccessControl } from '@switchyard/identity';
import request from 'supertest';
import { apiKeyRoutes } from '../../src/api-keys/api-key-routes';
import { userRoutes } from '../../src/users/user-routes';
import { memoryStore } from '../../../../libs/identity/test/memory-store';

const quiet = { info() {}, warn() {}, error() {}, debug() {}, audit() {} };
const settings: ServerSettings = {
  allowedOrigins: [],
  cookie: { secure: true, sameSite: 'lax' },
  maskedParameters: [],
  maxBodyBytes: 10_000,
  data: defaultDataLimits,
  openBodies: { maxBytes: 100_000, maxBytesPerAddress: 100_000 },
  connections: { max: 100, maxPerAddress: 100, requestTimeoutMs: 10_000 },
  heartbeatMs: 1000,
  clientAddress: ({ remoteAddress }) => remoteAddress,
};

/** Roles in which only root is an administrator. */
const roles: AccessControl = {
  ...openAccess,
  enabled: true,
  isAdmin: (user) => user === 'root',
  authorise({ user }, permission, resource) {
    if (resource !== undefined) throw fault('auth.forbidden-resource', { user, permission, resource });
  },
  visible: () => [],
};

async function setUp({ access = openAccess, maskSecrets = true } = {}) {
  const logged: string[] = [];
  const keep = (...line: unknown[]) => void logged.push(JSON.stringify(line));
  const { store } = memoryStore();
  const clock = systemClock();
  const { config } = loadConfig({ environment: {}, overrides: { api: { mask_secrets: maskSecrets } } });
  const identities = createIdentities({ store, clock, config, access });
  const { tokens } = identities;
  const app = createHttpApp({
    prefixes: ['', '/v1'],
    routes: [...apiKeyRoutes({ config, identities, logger: quiet }), ...userRoutes(access)],
    authenticate: identities.authenticate,
    access,
    logger: { info: keep, warn: keep, error: keep, debug: keep },
    settings,
    checkResponses: true,
  });
  const as = async (user: string) => {
    const { token } = await tokens.issueToken({ user });
    const ask =
      (method: 'get' | 'post' | 'put' | 'delete') =>
      (path: string, body?: object): request.Test =>
        request(app)[method](`/v1/${path}`).set('x-auth-token', token).send(body);
    return { get: ask('get'), post: ask('post'), put: ask('put'), delete: ask('delete') };
  };
  const withKey = (key: string) => request(app).get('/user').set('svc-api-key', key);
  return { app, as, withKey, ada: await as('ada'), store, logged };
}

describe('API keys', () => {
  it('are masked in the log when a path contains them, with any method and spelling', async () => {
    const { app, ada, logged } = await setUp();
    const { key, id } = (await ada.post('apikeys')).body as { key: string; id: string };
    await ada.get(`apikeys/${key}`).expect(200);
    await ada.put(`apikeys/${key}/`, { enabled: true }).expect(200);
    await ada.post(`apikeys/${key}`).expect(404);
    await request(app).get(`/v1/apikeys%2F${key}`).expect(401);
    await ada.get(`apikeys/${id}`).expect(200);
    await ada.delete(`apikeys/${key}`).expect(204);
    expect(logged.filter((line) => line.includes(key))).toEqual([]);
    expect(logged.filter((line) => line.includes('/v1/apikeys/********'))).toHaveLength(4);
    expect(logged.some((line) => line.includes(`/v1/apikeys/${id}`))).toBe(true);
  });

  it('are created, and shown without their hash', async () => {
    const { ada, withKey } = await setUp();
    const made = await ada.post('apikeys', { metadata: { for: ['tests', null] } });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      uid: expect.stringMatching(/^api_key:[0-9a-f]{128}$/),
      user: 'ada',
      key: expect.stringMatching(/^.{86}$/),
      metadata: { for: ['tests', null] },
      created_at: expect.stringMatching(/\.\d{6}Z$/),
      enabled: true,
    });
    const masked = { ...made.body, uid: '********', key_hash: '********' };
    delete masked.key;
    for (const given of [made.body.id, made.body.key]) {
      expect((await ada.get(`apikeys/${given}`)).body).toEqual(masked);
    }
    const shown = (await ada.get(`apikeys/${made.body.id}?show_secrets=True`)).body;
    expect(shown.uid).toBe(`api_key:${shown.key_hash}`);
    expect((await withKey(made.body.key)).body.username).toBe('ada');
  });

  it('are listed in pages', async () => {
    const { ada } = await setUp();
    for (let i = 0; i < 3; i += 1) await ada.post('apikeys', {});
    const answer = await ada.get('apikeys?limit=2&offset=1');
    expect(answer.body).toHaveLength(2);
    expect(answer.headers).toMatchObject({ 'x-total-count': '3', 'x-limit': '2' });
    expect((await ada.get('apikeys')).headers['x-limit']).toBe('50');
    expect((await ada.get('apikeys?offset=-1')).status).toBe(400);
    expect((await ada.get('apikeys?offset=2147483648')).status).toBe(400);
  });

  it('are changed by id or by the key itself, and keep their hash and creation time', async () => {
    const { ada } = await setUp();
    const { id, key, created_at } = (await ada.post('apikeys', { metadata: { a: 1 } })).body;
    const first = await ada.put(`apikeys/${id}`, { user: 'bob', key_hash: '********' });
    expect(first.body).toMatchObject({
      id,
      user: 'bob',
      metadata: {},
      created_at,
      key_hash: '********',
      enabled: true,
    });
    const second = await ada.put(`apikeys/${key}`, { metadata: { b: 2 }, key_hash: '' });
    expect(second.body).toMatchObject({ id, user: 'bob', metadata: { b: 2 } });
    const refused = await ada.put(`apikeys/${id}`, { user: 'bob', key_hash: 'abc' });
    expect([refused.status, refused.body]).toEqual([400, { faultstring: 'Update of key_hash is not allowed.' }]);
  });

  it('stop working at once when they are disabled or deleted', async () => {
    const { ada, withKey } = await setUp();
    const { id, key } = (await ada.post('apikeys', {})).body;
    expect((await withKey(key)).body.authentication).toEqual({ method: 'API key', location: 'header' });
    await ada.put(`apikeys/${id}`, { enabled: false });
    expect((await withKey(key)).body).toEqual({ faultstring: 'Unauthorized - API key is disabled.' });
    await ada.put(`apikeys/${id}`, { enabled: true });
    expect((await withKey(key)).status).toBe(200);
    expect((await ada.delete(`apikeys/${id}`)).status).toBe(204);
    expect((await withKey(key)).status).toBe(401);
  });

  it('are imported with id and hash', async () => {
    const { ada } = await setUp();
    const id = '0123456789abcdef01234567';
    const key_hash = 'a'.repeat(128);
    const made = await ada.post('apikeys', { id, key_hash, uid: 'x', created_at: '2020-01-01T00:00:00Z' });
    expect(made.body).toMatchObject({ id, key: null, uid: `api_key:${key_hash}` });
    expect((await ada.post('apikeys', { key_hash })).status).toBe(409);
    expect((await ada.post('apikeys', { key_hash: 'short' })).status).toBe(400);
    expect((await ada.post('apikeys', { id: 'short' })).status).toBe(400);
  });

  it.each<[object, RegExp]>([
    [[], /is not of type 'object'/],
    [{ colour: 'red' }, /'colour' was unexpected/],
    [{ enabled: 'x' }, /'x' is not of type 'boolean'/],
    [{ metadata: [] }, /\[\] is not of type 'object'/],
    [{ metadata: null }, /None is not of type 'object'/],
    [{ user: 5 }, /5 is not of type 'string'/],
    [{ user: null }, /None is not of type 'string'/],
    [{ created_at: 'yesterday' }, /'yesterday' does not match/],
    [{ created_at: '2020-01-01T00:00:00+02:00' }, /does not match/],
    [{ created_at: null }, /None is not of type 'string'/],
  ])('cannot be created from, nor changed to, %j', async (body, text) => {
    const { ada } = await setUp();
    const { id } = (await ada.post('apikeys', { metadata: { a: 1 } })).body;
    for (const answer of [await ada.post('apikeys', body), await ada.put(`apikeys/${id}`, body)]) {
      expect([answer.status, answer.body.faultstring]).toEqual([400, expect.stringMatching(text)]);
    }
    expect((await ada.get(`apikeys/${id}`)).body.metadata).toEqual({ a: 1 });
    expect((await ada.get('apikeys')).body).toHaveLength(1);
  });

  it('that do not exist are a 404, which repeats ids but no keys', async () => {
    const { ada } = await setUp();
    const text = async (test: request.Test) => (await test.expect(404)).body.faultstring;
    expect(await text(ada.get('apikeys/nope'))).toBe('ApiKey matching nope for reference and id not found.');
    expect(await text(ada.put('apikeys/nope', {}))).toBe('ApiKey with key or id=nope not found.');
    expect(await text(ada.delete('apikeys/nope'))).toBe('ApiKey with key or id=nope not found.');
    expect(await text(ada.get(`apikeys/${'k'.repeat(86)}`))).not.toContain('kkk');
  });

  it('belong to their users when roles are in use', async () => {
    const { ada, as } = await setUp({ access: roles });
    const [eve, root] = [await as('eve'), await as('root')];
    const { id } = (await ada.post('apikeys', {})).body;
    expect((await eve.get(`apikeys/${id}?show_secrets=true`)).status).toBe(403);
    expect((await eve.put(`apikeys/${id}`, {})).status).toBe(403);
    expect((await eve.delete(`apikeys/${id}`)).status).toBe(403);
    expect((await eve.get('apikeys')).body).toEqual([]);
    expect((await eve.post('apikeys', { user: 'ada' })).status).toBe(403);
    expect((await ada.put(`apikeys/${id}`, { user: 'eve' })).status).toBe(403);
    expect((await ada.get(`apikeys/${id}?show_secrets=true`)).body.key_hash).toBe('********');
    expect((await root.get(`apikeys/${id}?show_secrets=true`)).body.key_hash).toMatch(/^[0-9a-f]{128}$/);
  });

  it('are shown in full when secrets are not masked', async () => {
    const { ada } = await setUp({ maskSecrets: false });
    const { id } = (await ada.post('apikeys', {})).body;
    expect((await ada.get(`apikeys/${id}`)).body.key_hash).toMatch(/^[0-9a-f]{128}$/);
  });
});

describe('GET /user', () => {
  it('returns the current user', async () => {
    const { ada } = await setUp({ access: { ...roles, rolesOf: () => ['observer'] } });
    expect((await ada.get('user')).body).toEqual({
      username: 'ada',
      authentication: {
        method: 'authentication token',
        location: 'header',
        token_expire: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
      rbac: { enabled: true, roles: ['observer'], is_admin: false },
    });
  });
});
