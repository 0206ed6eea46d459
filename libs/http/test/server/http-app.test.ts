import { Type } from '@sinclair/typebox';
import { fault } from '@switchyard/base';
import { indexRoute, healthRoutes, openApiRoute, route, type Route } from '@switchyard/http';
import request from 'supertest';
import { sampleApp } from '../sample-app';
import { fetchOnce } from './raw-request';

const named = (name: string, rest: Partial<Route> & Pick<Route, 'handle'>): Route => ({
  method: 'GET',
  path: `/${name}`,
  operation: name,
  summary: name,
  ...rest,
});

const echo = named('echo', {
  method: 'POST',
  body: 'any',
  handle: ({ body }) => ({ status: 200, body: { body } }),
});

const routes: Route[] = [
  indexRoute({ version: '1', docsUrl: '/docs' }),
  ...healthRoutes(() => ({ live: true, ready: false, checks: { store: 'does not answer' } })),
  route({
    method: 'GET',
    path: '/things/{id}',
    operation: 'things.get_one',
    summary: 'A thing',
    permission: 'thing_view',
    query: { count: { type: 'integer' } },
    response: { status: 200, schema: Type.Object({ id: Type.String() }, { additionalProperties: true }) },
    handle: ({ params, query, requester }) => ({ status: 200, body: { ...params, ...query, user: requester.user } }),
  }),
  echo,
  { ...echo, path: '/echo', method: 'DELETE', operation: 'echo.delete' },
  named('checked', {
    method: 'POST',
    body: Type.Object(
      { n: Type.Integer(), word: Type.Optional(Type.String({ default: 'x' })) },
      { additionalProperties: false },
    ),
    handle: ({ body }) => ({ status: 201, body }),
  }),
  named('text', { method: 'POST', body: 'text', handle: ({ body }) => ({ status: 200, body: { body } }) }),
  named('ignored', { method: 'POST', handle: ({ body }) => ({ status: 200, body: { body: body ?? null } }) }),
  named('empty', { method: 'DELETE', handle: () => ({ status: 204 }) }),
  named('page', { open: true, handle: () => ({ status: 200, text: '<p>', headers: { 'Content-Type': 'text/html' } }) }),
  named('bytes', { handle: () => ({ status: 200, bytes: Buffer.from([1, 2]) }) }),
  named('conflict', {
    handle: () => {
      throw fault('storage.duplicate', { text: 'ref' }, { extra: { 'conflict-id': 'abc' } });
    },
  }),
  named('broken', {
    handle: () => {
      throw new Error('the password is swordfish');
    },
  }),
  named('liar', {
    response: { status: 200, schema: Type.Object({ id: Type.String() }) },
    handle: () => ({ status: 200, body: { id: 5 } }),
  }),
  named('cookies', { handle: () => ({ status: 200, cookies: [{ name: 'more', value: '1', maxAgeSeconds: 5 }] }) }),
];

const { app, lines } = sampleApp([
  ...routes,
  openApiRoute({ prefixes: ['', '/v1'], routes }, { title: 'T', version: '1' }),
]);
const authorised = (test: request.Test) => test.set('x-auth-token', 'key');
const get = (path: string) => authorised(request(app).get(path));
const post = (path: string, type: string, body: string) =>
  authorised(request(app).post(path)).set('content-type', type).send(body);

beforeEach(() => void (lines.length = 0));

describe('a request', () => {
  it.each(['/things/a?count=2', '/v1/things/a/?count=2', '/thing%73/%61?count=2&other=x'])(
    '%s reaches its route',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.text).toBe('{"id":"a","count":2,"user":"ada"}');
      expect(answer.headers['content-type']).toBe('application/json');
    },
  );

  it.each(['/', '/v1', '/v1/'])('%s answers the version', async (path) => {
    expect((await get(path)).body).toEqual({ version: '1', docs_url: '/docs' });
  });

  it.each([
    ['GET', '/none'],
    ['GET', '/v2/things/a'],
    ['POST', '/things/a'],
    ['PATCH', '/things/a'],
    ['GET', '/things'],
  ])('%s %s is not found, with or without credentials', async (method, path) => {
    for (const token of ['key', '']) {
      const answer = await request(app)[method.toLowerCase() as 'get'](path).set('x-auth-token', token);
      expect([answer.status, answer.body]).toEqual([404, { faultstring: 'The resource could not be found.' }]);
    }
  });

  it('needs credentials', async () => {
    const answer = await request(app).get('/things/a');
    expect([answer.status, answer.body]).toEqual([
      401,
      { faultstring: 'Unauthorized - One of Token or API key required.' },
    ]);
  });

  it('is answered before its parameters are read when the credentials are wrong', async () => {
    expect((await request(app).get('/things/a?count=x')).status).toBe(401);
    expect((await get('/things/a?count=x')).body).toEqual({ faultstring: 'Parameter "count" is not of type integer' });
  });

  it.each(['/things/%', '/things/%FF', '/things/%zz'])('with the path %s is refused', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(400);
    expect(answer.body.faultstring).toContain(`Failed to parse request path "${path}".`);
  });

  it('with a badly escaped query is refused', async () => {
    expect((await get('/things/a?x=%FF')).status).toBe(400);
  });

  it.each(['/', '/things/a', '/v1/things/a'])('HEAD %s answers like GET without a body', async (path) => {
    const [head, full] = [await authorised(request(app).head(path)), await get(path)];
    expect([head.status, head.text ?? '']).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(full.headers['content-length']);
  });

  it('keeps its id, or gets one', async () => {
    expect((await get('/').set('x-request-id', 'mine')).headers['x-request-id']).toBe('mine');
    expect((await get('/')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await get('/').set('x-request-id', 'with blank')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('leaves two lines in the log, without its secrets', async () => {
    await get('/things/a?x-auth-token=one&st2-api-key=two&PIN=three&count=4').set('x-request-id', 'r1');
    expect(lines.map(({ level, message }) => `${level} ${message.replace(/[\d.]+ms/, '?ms')}`)).toEqual([
      'info r1 - GET /things/a',
      'info r1 - 200 35 ?ms'.replace('35', String('{"id":"a","count":4,"user":"ada"}'.length)),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/one|two|three/);
    expect(lines[0]?.fields).toMatchObject({ query: { count: '4', 'x-auth-token': '********' } });
  });

  it('sets the cookie of a token', async () => {
    const answer = await request(app).get('/cookies').set('x-auth-token', 'good');
    expect(answer.headers['set-cookie']).toEqual([
      'auth-token=good; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=lax',
      'more=1; Max-Age=5; Path=/; HttpOnly; Secure; SameSite=lax',
    ]);
    expect((await get('/')).headers['set-cookie']).toBeUndefined();
  });

  it('is let in by a cookie', async () => {
    expect((await request(app).get('/').set('cookie', 'a=b; auth-token=key')).status).toBe(200);
  });
});

/** A form in parts, from names and values by turns. */
const form = (...parts: string[]): string =>
  parts
    .map((part, index) =>
      index % 2 === 0 ? `--x\r\nContent-Disposition: form-data; name="${part}"\r\n\r\n` : `${part}\r\n`,
    )
    .join('') + '--x--\r\n';

describe('a body', () => {
  it.each([
    ['application/json', '{"a":1,"a":2}', { a: 2 }],
    ['application/json; charset=utf-8', '[1]', [1]],
    ['application/json', '', {}],
    ['application/json', 'null', null],
    ['application/xml', '', {}],
    ['application/x-www-form-urlencoded', 'a=1&a=2&b=x+y', { a: ['1', '2'], b: ['x y'] }],
    ['text/plain', 'žluť', 'žluť'],
    ['application/json', '{"a":"\\u0000"}', { a: '\0' }],
    ['multipart/form-data; boundary=x', form('a', '1', 'b', '2\r\n', 'a', 'ž'), { a: ['1', 'ž'], b: ['2\r\n'] }],
    ['multipart/form-data; boundary="x"', form('__proto__', 'y --x'), { ['__proto__']: ['y --x'] }],
    ['multipart/form-data; boundary=x', '--x--', {}],
  ])('of type %s: %p', async (type, sent, body) => {
    const answer = await post('/echo', type, sent);
    expect([answer.status, answer.body]).toEqual([200, { body }]);
  });

  it.each([
    ['application/json', '{bad', 'Failed to parse request body: '],
    ['application/xml', '<a/>', 'Failed to parse request body: Unsupported Content-Type: "application/xml"'],
    ['multipart/form-data', '--x--', 'without a boundary'],
    ['multipart/form-data; boundary=y', '--x--', 'does not occur'],
    ['multipart/form-data; boundary=x', '--x\r\nno end', 'does not end'],
    ['multipart/form-data; boundary=x', '--x\r\n\r\nvalue\r\n--x--', 'has no name'],
    ['application/json', '{"a":[{"b\\u0000":1}]}', 'the name "b\\u0000" holds a null character'],
    ['application/x-www-form-urlencoded', 'a%00=1', 'the name "a\\u0000" holds a null character'],
    ['multipart/form-data; boundary=x', form('a\0', '1'), 'the name "a\\u0000" holds a null character'],
  ])('of type %s: %p is refused', async (type, sent, message) => {
    const answer = await post('/echo', type, sent);
    expect(answer.status).toBe(400);
    expect(answer.body.faultstring).toContain(message);
  });

  it('that is not UTF-8 is refused', async () => {
    const answer = await authorised(request(app).post('/echo'))
      .set('content-type', 'application/json')
      .serialize((raw) => raw as never)
      .send(Buffer.from([0x22, 0xff, 0x22]) as never);
    expect(answer.status).toBe(400);
  });

  it('that is compressed is refused', async () => {
    expect((await post('/echo', 'application/json', 'x').set('content-encoding', 'gzip')).status).toBe(415);
  });

  it('is checked and completed by its schema', async () => {
    expect((await post('/checked', 'application/json', '{"n":1}')).body).toEqual({ n: 1, word: 'x' });
  });

  it.each([
    ['{}', "'n' is a required property"],
    ['', "'n' is a required property"],
    ['null', "None is not of type 'object'"],
    ['{"n":true}', "True is not of type 'integer'"],
    ['{"n":1,"m":2}', "Additional properties are not allowed ('m' was unexpected)"],
  ])('%p does not fit: %s', async (sent, faultstring) => {
    const answer = await post('/checked', 'application/json', sent);
    expect([answer.status, answer.body.faultstring]).toEqual([400, faultstring]);
  });

  it('is handed over as text, or not at all, where the route says so', async () => {
    expect((await post('/text', 'application/json', '{"a":')).body).toEqual({ body: '{"a":' });
    expect((await post('/ignored', 'application/xml', '<a/>')).body).toEqual({ body: null });
  });

  it('has a largest size, whether or not its length is announced', async () => {
    const large = 'x'.repeat(2000);
    const announced = await post('/text', 'text/plain', large);
    expect([announced.status, announced.body]).toEqual([
      413,
      { faultstring: 'The request body is larger than 1000 bytes.' },
    ]);
    expect(await fetchOnce(app, { method: 'POST', path: '/text', chunks: [large] })).toMatchObject({ status: 413 });
  });

  it('may be chunked, and may have no type', async () => {
    const answer = await fetchOnce(app, { method: 'DELETE', path: '/echo', chunks: ['{"a"', ':1}'] });
    expect(answer).toEqual({ status: 200, body: '{"body":{"a":1}}' });
  });
});

describe('an answer', () => {
  it('may be empty, a page or bytes', async () => {
    const empty = await authorised(request(app).delete('/empty'));
    expect([empty.status, empty.text, empty.headers['content-length']]).toEqual([204, '', undefined]);
    expect((await request(app).get('/page')).headers['content-type']).toBe('text/html');
    expect((await get('/bytes')).body).toEqual(Buffer.from([1, 2]));
  });

  it('carries the further members of a fault', async () => {
    const answer = await get('/conflict');
    expect([answer.status, answer.body]).toEqual([
      409,
      { 'conflict-id': 'abc', faultstring: 'Tried to save duplicate unique keys (ref)' },
    ]);
  });

  it('tells nothing of an unexpected error; the log does', async () => {
    const answer = await get('/broken');
    expect([answer.status, answer.text]).toEqual([500, '{"faultstring":"Internal Server Error"}']);
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      { message: expect.stringContaining('swordfish') },
    ]);
  });

  it('that does not fit its schema is found in tests', async () => {
    expect((await get('/liar')).status).toBe(500);
    expect(JSON.stringify(lines)).toContain('/id: 5 is not of type');
  });

  it('is never cached, framed or sniffed', async () => {
    expect((await get('/none')).headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });
});

describe('cross-origin requests', () => {
  const table = {
    'access-control-allow-methods': 'GET,POST,PUT,DELETE,OPTIONS',
    'access-control-allow-headers': 'Content-Type,Authorization,X-Auth-Token,Svc-Api-Key,X-Request-ID',
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'Content-Type,X-Limit,X-Total-Count,X-Request-ID',
    vary: 'Origin',
  };

  it.each([
    ['https://console.example', 'https://console.example'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['https://evil.example', 'https://console.example'],
    [undefined, 'https://console.example'],
  ])('from %p are answered for %p', async (origin, allowed) => {
    for (const path of ['/', '/none']) {
      const answer = await (origin ? get(path).set('origin', origin) : get(path));
      expect(answer.headers).toMatchObject({ ...table, 'access-control-allow-origin': allowed });
    }
  });

  it.each(['/', '/v1/things/a', '/none', '/%FF'])(
    'are announced with OPTIONS %s, without credentials',
    async (path) => {
      const answer = await request(app).options(path).set('origin', 'http://127.0.0.1:3000');
      expect([answer.status, answer.text]).toEqual([200, '']);
      expect(answer.headers).toMatchObject({ ...table, 'access-control-allow-origin': 'http://127.0.0.1:3000' });
    },
  );

  it('may use the older key header, and an idempotency key', async () => {
    const answer = await request(app)
      .options('/')
      .set('access-control-request-headers', 'st2-api-key, idempotency-key');
    const allowed = 'Content-Type,Authorization,X-Auth-Token,St2-Api-Key,X-Request-ID,Idempotency-Key';
    expect(answer.headers['access-control-allow-headers']).toBe(allowed);
  });
});

describe('permissions', () => {
  it('are asked for by route', async () => {
    const asked: string[] = [];
    const access = {
      enabled: true,
      isAdmin: () => false,
      rolesOf: () => [],
      authorise(user: string, permission: string) {
        asked.push(permission);
        throw fault('auth.forbidden', { user, permission });
      },
    };
    const strict = sampleApp(routes, { access }).app;
    const answer = await authorised(request(strict).get('/things/a?count=x'));
    const faultstring = 'User "ada" doesn\'t have required permission "thing_view"';
    expect([answer.status, answer.body, asked]).toEqual([403, { faultstring }, ['thing_view']]);
    expect((await authorised(request(strict).get('/bytes'))).status).toBe(200);
  });
});

describe('observations', () => {
  it('tell route, method, status and duration', async () => {
    const seen: unknown[] = [];
    const observed = sampleApp(routes, { observe: (observation) => void seen.push(observation) }).app;
    await authorised(request(observed).get('/things/a'));
    await request(observed).get('/none');
    expect(seen).toEqual([
      {
        operation: 'things.get_one',
        path: '/things/{id}',
        quiet: false,
        method: 'GET',
        status: 200,
        durationMs: expect.any(Number),
      },
      {
        operation: 'unknown',
        path: 'unknown',
        quiet: false,
        method: 'GET',
        status: 404,
        durationMs: expect.any(Number),
      },
    ]);
  });
});

describe('health', () => {
  it.each([
    ['/healthz', 200],
    ['/readyz', 503],
  ])('%s needs no credentials and is not written to the log', async (path, status) => {
    const answer = await request(app).get(path);
    expect([answer.status, answer.body.checks]).toEqual([status, { store: 'does not answer' }]);
    expect(lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });
});

describe('the OpenAPI document', () => {
  it('is served without credentials and tells about each route', async () => {
    const { body } = await request(app).get('/v1/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(body.paths['/v1/things/{id}'].get).toMatchObject({
      operationId: 'things.get_one',
      'x-permission': 'thing_view',
      parameters: [
        { name: 'id', in: 'path', required: true },
        { name: 'count', in: 'query', required: false, schema: { type: 'integer' } },
      ],
      responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
    });
    expect(Object.keys(body.paths['/v1/echo'])).toEqual(['post', 'delete']);
    expect(body.paths['/v1/page'].get.security).toEqual([]);
    const { required, properties } = body.components.schemas.Fault;
    expect([required, Object.keys(properties)]).toEqual([
      ['faultstring'],
      ['faultstring', 'field', 'conflict-id', 'failures', 'retry_after'],
    ]);
  });
});
