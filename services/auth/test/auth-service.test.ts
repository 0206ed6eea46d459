import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthService } from '@switchyard/auth';
import { systemClock } from '@switchyard/base';
import { loadConfig, type ConfigOverrides } from '@switchyard/config';
import { createIdentities } from '@switchyard/identity';
import { captureDestination, createLogger } from '@switchyard/telemetry';
import request from 'supertest';
import { memoryStore } from '../../../libs/identity/test/memory-store';

const directory = mkdtempSync(join(tmpdir(), 'auth-'));
const passwords = join(directory, 'htpasswd');
const sha1 = (password: string) => `{SHA}${createHash('sha1').update(password).digest('base64')}`;
writeFileSync(passwords, `testu:${sha1('testp')}\nbot:${sha1('b:ot')}\n`);

function setUp(auth: ConfigOverrides['auth'] = {}) {
  const overrides = { auth: { port: 0, backend_kwargs: JSON.stringify({ file_path: passwords }), ...auth } };
  const { config } = loadConfig({ environment: {}, overrides });
  const clock = systemClock();
  const { store } = memoryStore();
  const identities = createIdentities({ store, clock, config });
  const captured = captureDestination();
  const logger = createLogger({
    service: 'auth',
    level: 'info',
    format: 'json',
    mask: true,
    maskNames: [],
    destination: captured,
  });
  const about = { version: '1.2.3', docsUrl: '/docs' };
  const pinged = { ...store, ping: () => Promise.resolve() };
  const service = createAuthService({ config, identities, store: pinged, clock, logger, about });
  return { service, store, identities };
}

describe('the auth service', () => {
  const { service, store, identities } = setUp();
  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  let url: string;
  const login = (body: object | undefined = undefined, authorization = basic('testu', 'testp')) =>
    request(url).post('/v1/tokens').set('authorization', authorization).send(body);

  beforeAll(async () => {
    await service.start();
    url = `http://127.0.0.1:${service.address().port}`;
    await store.users.insert({ _id: '1', name: 'bot', is_service: true, nicknames: {} });
    await store.users.insert({ _id: '2', name: 'ada', is_service: false, nicknames: { slack: 'countess' } });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(directory, { recursive: true });
  });

  it.each(['', basic('testu', 'wrong'), basic('nobody', 'x')])(
    'refuses wrong credentials before anything of the body is read: %j',
    async (authorization) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const header = authorization === '' ? '' : `Authorization: ${authorization}\r\n`;
      socket.write(`POST /v1/tokens HTTP/1.1\r\nHost: x\r\n${header}Content-Length: 1000\r\n\r\n{`);
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 401 /);
      socket.destroy();
    },
  );

  it('limits the size of a token request', async () => {
    const large = { nickname_origin: 'x'.repeat(5000) };
    expect((await login(large)).status).toBe(413);
    const { body } = await login({});
    const validate = (sent: object) =>
      request(url).post('/v1/tokens/validate').set('x-auth-token', body.token).send(sent);
    expect((await validate({ token: 'x'.repeat(5000) })).body).toEqual({
      faultstring: 'The request body is larger than 4096 bytes.',
    });
    expect((await validate({ token: body.token })).body).toEqual({ valid: true });
  });

  it('issues a token for a password', async () => {
    const { status, body, headers } = await login();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      user: 'testu',
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      expiry: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      metadata: {},
      service: false,
    });
    expect(headers['x-api-url']).toBe('http://127.0.0.1:9101');
    expect(headers['access-control-expose-headers']).toContain('X-API-URL');
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('uses the requested lifetime', async () => {
    const before = Date.now();
    const { body } = await login({ ttl: 60 });
    const issued = Date.parse(body.expiry) - 60_000;
    expect(issued).toBeGreaterThanOrEqual(before - 1);
    expect(issued).toBeLessThanOrEqual(Date.now() + 1);
  });

  it.each([
    [{ ttl: 86401 }, 'TTL specified 86401 is greater than max allowed 86400.'],
    [{ ttl: 0 }, "'********' is less than the minimum of 1"],
    [{ ttl: '10' }, "'********' of type 'string' is not of type 'integer', 'null'"],
    [{ ttl: true }, "'********' of type 'boolean' is not of type 'integer', 'null'"],
    [['hush'], "'********' of type 'array' is not of type 'object'"],
    [{ user: 'ada' }, 'Current user is not a service and cannot request impersonated tokens'],
  ])('refuses %j', async (body, faultstring) => {
    const answer = await login(body);
    expect([answer.status, answer.body.faultstring]).toEqual([400, faultstring]);
  });

  it.each([undefined, 'Basic', 'Bearer x', basic('testu', 'wrong'), basic('nobody', 'testp'), basic('', 'testp')])(
    'refuses the credentials %p',
    async (authorization) => {
      const answer = await login(undefined, authorization ?? '');
      expect([answer.status, answer.body]).toEqual([401, { faultstring: 'Invalid or missing credentials' }]);
    },
  );

  it('accepts no user name from a proxy', async () => {
    const answer = await request(url).post('/tokens').set('x-forwarded-user', 'testu').set('remote-user', 'testu');
    expect(answer.status).toBe(401);
  });

  it('lets service accounts request tokens for other users', async () => {
    const bot = basic('bot', 'b:ot');
    expect((await login({ user: 'ada' }, bot)).body.user).toBe('ada');
    expect((await login({ impersonate_user: 'countess', nickname_origin: 'slack' }, bot)).body.user).toBe('ada');
    expect((await login({ impersonate_user: 'countess' }, bot)).status).toBe(400);
  });

  it('says whether a token is valid', async () => {
    const { token } = (await login()).body;
    const validate = (given: unknown) =>
      request(url).post('/tokens/validate').set('x-auth-token', token).send({ token: given });
    expect((await validate(token)).body).toEqual({ valid: true });
    expect((await validate('nope')).body).toEqual({ valid: false });
    for (const nothing of [null, '', undefined]) {
      expect((await validate(nothing)).body).toEqual({ faultstring: 'Token is not provided.' });
    }
    expect((await validate(5)).body).toEqual({
      faultstring: "'********' of type 'integer' is not of type 'string', 'null'",
      field: 'token',
    });
    expect((await request(url).post('/tokens/validate').send({ token })).status).toBe(401);
  });

  it('ends a token on logout', async () => {
    const { token } = (await login()).body;
    const logout = () => request(url).delete('/v1/tokens/current').set('x-auth-token', token);
    expect((await logout()).status).toBe(204);
    expect((await logout()).status).toBe(401);
    const { key } = await identities.apiKeys.create({ user: 'ada' });
    expect((await request(url).delete('/tokens/current').set('svc-api-key', String(key))).status).toBe(400);
  });

  it.each([
    ['GET', '/tokens'],
    ['DELETE', '/tokens'],
    ['PUT', '/tokens'],
    ['GET', '/tokens/validate'],
    ['GET', '/tokens/abc'],
    ['DELETE', '/tokens/abc'],
  ])('returns 404 for %s %s', async (method, path) => {
    expect((await request(url)[method.toLowerCase() as 'get'](path)).status).toBe(404);
  });

  it('reports that single sign-on is off', async () => {
    expect((await request(url).get('/sso')).body).toEqual({ enabled: false });
    expect((await request(url).get('/v1/sso/request')).status).toBe(404);
    expect((await request(url).post('/sso/callback').send({ referer: 'http://x' })).status).toBe(404);
  });

  it('serves its version, its health and its API document', async () => {
    const { token } = (await login()).body;
    expect((await request(url).get('/v1/').set('x-auth-token', token)).body.version).toBe('1.2.3');
    expect((await request(url).get('/')).status).toBe(401);
    expect((await request(url).get('/readyz')).body).toMatchObject({ ready: true, checks: { store: 'ok' } });
    expect((await request(url).get('/v1/openapi.json')).body.paths['/v1/tokens'].post.operationId).toBe(
      'tokens.create',
    );
  });
});

describe('a configuration', () => {
  it.each([
    [{ mode: 'proxy' as const }, 'no proxy is known to be trusted'],
    [{ sso: true }, 'auth.sso = true'],
    [{ use_ssl: true }, 'needs auth.cert and auth.key'],
    [{ backend: 'pam' }, 'known backends are: flat_file'],
  ])('with %j is refused', (auth, message) => {
    expect(() => setUp(auth)).toThrow(message);
  });
});
