import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestSecurely } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigOverrides } from '@switchyard/config';
import request from 'supertest';
import { basic, madeAuthService } from './made-auth-service';

const directory = mkdtempSync(join(tmpdir(), 'auth-'));
const passwords = join(directory, 'htpasswd');
const sha1 = (password: string) => `{SHA}${createHash('sha1').update(password).digest('base64')}`;
writeFileSync(passwords, `testu:${sha1('testp')}\nbot:${sha1('b:ot')}\n`);

const setUp = (auth: ConfigOverrides['auth'] = {}) =>
  madeAuthService({ backend_kwargs: JSON.stringify({ file_path: passwords }), ...auth });

afterAll(() => rmSync(directory, { recursive: true }));

describe('the auth service', () => {
  const { service, store, identities } = setUp();
  let url: string;
  const login = (body: object | undefined = undefined, authorization = basic('testu', 'testp')) =>
    request(url).post('/v1/tokens').set('authorization', authorization).send(body);

  beforeAll(async () => {
    await service.start();
    url = `http://127.0.0.1:${service.address().port}`;
    await store.users.insert({ _id: '1', name: 'bot', is_service: true, nicknames: {} });
    await store.users.insert({ _id: '2', name: 'ada', is_service: false, nicknames: { slack: 'countess' } });
  });
  afterAll(() => service.stop());

  it.each(['', basic('testu', 'wrong'), basic('nobody', 'x')])(
    'refuses wrong credentials before reading the body: %j',
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

  it.each(['/tokens', '/auth/tokens', '/auth/v1/tokens'])('answers %s as well', async (path) => {
    const { status, body } = await request(url).post(path).set('authorization', basic('testu', 'testp'));
    expect([status, body.user]).toEqual([201, 'testu']);
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
    const answer = await request(url).post('/tokens').set({ 'x-forwarded-user': 'testu', 'remote-user': 'testu' });
    expect(answer.status).toBe(401);
  });

  it('allows service accounts to request tokens for other users', async () => {
    const bot = basic('bot', 'b:ot');
    expect((await login({ user: 'ada' }, bot)).body.user).toBe('ada');
    expect((await login({ impersonate_user: 'countess', nickname_origin: 'slack' }, bot)).body.user).toBe('ada');
    expect((await login({ impersonate_user: 'countess' }, bot)).status).toBe(400);
  });

  it('reports whether a token is valid', async () => {
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
    ['PUT', '/tokens'],
    ['GET', '/tokens/validate'],
    ['GET', '/tokens/abc'],
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

describe('a backend that is unavailable', () => {
  it('is a 503 and not a 401, with the reason in the log and without the password', async () => {
    const given = {
      bind_dn: 'cn=service,dc=example',
      bind_password: 'service-secret',
      base_ou: 'dc=example',
      group_dns: ['cn=operators,dc=example'],
      host: '127.0.0.1',
      // Nothing listens there.
      port: 1,
    };
    const { service, url, lines } = setUp({ backend: 'ldap', backend_kwargs: JSON.stringify(given) });
    await service.start();
    const answer = await request(url()).post('/tokens').set('authorization', basic('ada', 'ada-secret'));
    await service.stop();
    expect([answer.status, answer.body.faultstring]).toEqual([
      503,
      'The authentication backend "ldap" cannot check passwords at the moment. Try again later.',
    ]);
    const log = lines().join('\n');
    expect(log).toContain('ldap://127.0.0.1:1: bind: ');
    expect(log).toContain('ECONNREFUSED');
    expect(log).not.toContain('-secret');
  });
});

describe('a configuration', () => {
  it.each([
    [{ sso: true }, 'auth.sso = true'],
    [{ use_ssl: true }, 'needs auth.cert and auth.key'],
    [{ backend: 'keystone' }, 'auth.backend = keystone is not available, the backends are: flat_file, ldap'],
    [{ backend_kwargs: '{}' }, 'backend flat_file: "file_path": expected the path of a file, got nothing'],
    [
      { backend_kwargs: '{"path": "/x"}' },
      '"path": expected one of the arguments file_path, upgrade_hashes, got an unknown name',
    ],
  ])('with %j is refused', (auth, message) => {
    expect(() => setUp(auth)).toThrow(message);
  });
});

describe('the options of the service', () => {
  type Made = ReturnType<typeof setUp>;

  /** Runs a service for the duration of a test. */
  async function during(auth: ConfigOverrides['auth'], use: (made: Made) => Promise<void>): Promise<void> {
    const made = setUp(auth);
    await made.service.start();
    try {
      await use(made);
    } finally {
      await made.service.stop();
    }
  }
  const login = ({ url }: Made, body: object = {}) =>
    request(url()).post('/tokens').set('authorization', basic('testu', 'testp')).send(body);

  it('set the lifetime of tokens, which is also the maximum', () =>
    during({ token_ttl: 100 }, async (made) => {
      const before = Date.now();
      const { body } = await login(made);
      expect(Date.parse(body.expiry) - before).toBeLessThan(101_000 + (Date.now() - before));
      expect((await login(made, { ttl: 100 })).status).toBe(201);
      expect((await login(made, { ttl: 101 })).body.faultstring).toBe(
        'TTL specified 101 is greater than max allowed 100.',
      );
    }));

  it('set the public address of the API, which comes with each token', () =>
    during({ api_url: 'https://st2.example/api/' }, async (made) => {
      expect((await login(made)).headers['x-api-url']).toBe('https://st2.example/api');
    }));

  it('require credentials even if the API does not', () =>
    during({ enable: false }, async (made) => {
      expect((await request(made.url()).post('/tokens').set('content-type', 'application/json')).status).toBe(401);
      expect((await login(made)).status).toBe(201);
    }));

  it('take the address of the client from a trusted proxy, for the limit on failed logins', () =>
    during({ trusted_proxies: '127.0.0.1' }, async (made) => {
      const attempt = (password: string, address: string) =>
        request(made.url())
          .post('/tokens')
          .set({ authorization: basic('testu', password), 'x-forwarded-for': address })
          .send({});
      for (let i = 0; i < 10; i += 1) expect((await attempt('wrong', '192.0.2.1')).status).toBe(401);
      expect((await attempt('testp', '192.0.2.1')).status).toBe(429);
      expect((await attempt('testp', '192.0.2.2')).status).toBe(201);
    }));

  it('enable TLS, and then plain HTTP fails', async () => {
    const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...names], { stdio: 'ignore' });
    await during({ use_ssl: true, cert, key }, async (made) => {
      const sent = requestSecurely({
        host: '127.0.0.1',
        port: made.service.address().port,
        path: '/tokens',
        method: 'POST',
        ca: readFileSync(cert),
        headers: { authorization: basic('testu', 'testp') },
        agent: false,
      });
      sent.end();
      const [answer] = await once(sent, 'response');
      answer.resume();
      expect(answer.statusCode).toBe(201);
      await expect(login(made)).rejects.toThrow(/socket hang up|ECONNRESET/);
    });
    const broken = setUp({ use_ssl: true, cert, key: passwords });
    await expect(broken.service.start()).rejects.toThrow(`cannot serve TLS with the certificate ${cert} and the key `);
    const missing = setUp({ use_ssl: true, cert, key: '/nowhere/key.pem' });
    await expect(missing.service.start()).rejects.toThrow('ENOENT');
  });
});
