import { Type } from '@sinclair/typebox';
import { once } from 'node:events';
import { connect } from 'node:net';
import { defaultDataLimits, deferred, fault, KIB, MIB } from '@switchyard/base';
import {
  indexRoute,
  healthRoutes,
  openApiRoute,
  route,
  type HttpApp,
  type HttpAppOptions,
  type Route,
} from '@switchyard/http';
import { openAccess, type Actor, type Authenticate } from '@switchyard/identity';
import request from 'supertest';
import { authenticate, keptLog, listening, sampleApp, settings } from '../sample-app';
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

const HEALTH = { live: true, ready: false, checks: { store: 'does not respond' } };

const routes: Route[] = [
  indexRoute({ version: '1', docsUrl: '/docs' }),
  ...healthRoutes(() => ({ lastHealth: () => HEALTH, health: () => Promise.resolve(HEALTH) })),
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

  it.each(['/', '/v1', '/v1/'])('of %s is answered with the version', async (path) => {
    expect((await get(path)).body).toEqual({ version: '1', docs_url: '/docs' });
  });

  it.each([
    ['GET', '/none'],
    ['GET', '/v2/things/a'],
    ['POST', '/things/a'],
    ['PATCH', '/things/a'],
    ['GET', '/things'],
  ])('for %s %s is not found, with or without credentials', async (method, path) => {
    for (const token of ['key', '']) {
      const answer = await request(app)[method.toLowerCase() as 'get'](path).set('x-auth-token', token);
      expect([answer.status, answer.body]).toEqual([404, { faultstring: 'The resource could not be found.' }]);
    }
  });

  it('requires credentials', async () => {
    const answer = await request(app).get('/things/a');
    expect([answer.status, answer.body]).toEqual([
      401,
      { faultstring: 'Unauthorized - One of Token or API key required.' },
    ]);
  });

  it('fails with wrong credentials before its parameters are read', async () => {
    expect((await request(app).get('/things/a?count=x')).status).toBe(401);
    expect((await get('/things/a?count=x')).body).toEqual({ faultstring: 'Parameter "count" is not of type integer' });
  });

  it.each(['/things/%', '/things/%FF', '/things/%zz'])('with the path %s is rejected', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(400);
    expect(answer.body.faultstring).toContain(`Failed to parse request path "${path}".`);
  });

  it('with an invalid escape in the query is rejected', async () => {
    expect((await get('/things/a?x=%FF')).status).toBe(400);
  });

  it.each(['/', '/things/a', '/v1/things/a'])('of HEAD %s gets the response of GET without a body', async (path) => {
    const [head, full] = [await authorised(request(app).head(path)), await get(path)];
    expect([head.status, head.text ?? '']).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(full.headers['content-length']);
  });

  it('keeps its id or gets one', async () => {
    expect((await get('/').set('x-request-id', 'mine')).headers['x-request-id']).toBe('mine');
    expect((await get('/')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await get('/').set('x-request-id', 'with blank')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('writes two log lines without secrets', async () => {
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

  it.each(['cross-site', 'same-site'])(
    'that a %s page causes sets no cookie: a link must not log anybody in',
    async (site) => {
      const answer = await request(app).get('/cookies?x-auth-token=good').set('sec-fetch-site', site);
      expect(answer.headers['set-cookie']).toEqual(['more=1; Max-Age=5; Path=/; HttpOnly; Secure; SameSite=lax']);
      for (const own of ['same-origin', 'none']) {
        const { headers } = await request(app).get('/cookies?x-auth-token=good').set('sec-fetch-site', own);
        expect(headers['set-cookie']?.[0]).toContain('auth-token=good');
      }
    },
  );

  it('that changes something with a cookie is refused for other sites, and not for allowed origins', async () => {
    const change = (headers: Record<string, string>) =>
      request(app)
        .post('/echo')
        .set({ cookie: 'auth-token=key', ...headers })
        .send({});
    const evil = 'https://evil.example.org';
    for (const site of ['cross-site', 'same-site']) {
      const answer = await change({ 'sec-fetch-site': site, origin: evil });
      expect([answer.status, answer.body.faultstring]).toEqual([
        403,
        `Another website (Origin "${evil}") may not make changes with the cookie of a login. Use the option api.allow_origin to allow it.`,
      ]);
      expect((await change({ 'sec-fetch-site': site })).status).toBe(403);
    }
    const allowed = await change({ 'sec-fetch-site': 'same-origin' });
    expect(allowed.status).toBe(200);
    expect((await change({ 'sec-fetch-site': 'cross-site', origin: 'https://console.example' })).status).toBe(
      allowed.status,
    );
    // Scripts of other sites cannot set this header, and reading changes nothing.
    expect((await change({ 'sec-fetch-site': 'cross-site', 'x-auth-token': 'key' })).status).toBe(allowed.status);
    const read = request(app).get('/').set({ cookie: 'auth-token=key', 'sec-fetch-site': 'cross-site' });
    expect((await read).status).toBe(200);
  });

  it('is authenticated by a cookie', async () => {
    expect((await request(app).get('/').set('cookie', 'a=b; auth-token=key')).status).toBe(200);
  });
});

/** A multipart form with alternating names and values. */
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
    ['application/json', '\uFEFF{"a":1}', { a: 1 }],
    ['application/json', '', {}],
    ['application/json', 'null', null],
    [
      'application/json',
      '{"a":[1234567890123456789,-1e400,9007199254740991,0.1]}',
      { a: ['1234567890123456789', '-1e400', 9007199254740991, 0.1] },
    ],
    ['application/xml', '', {}],
    ['application/x-www-form-urlencoded', 'a=1&a=2&b=x+y', { a: ['1', '2'], b: ['x y'] }],
    ['application/x-www-form-urlencoded', 'a=1&b=&c&d=&d=2', { a: ['1'], d: ['2'] }],
    ['application/x-www-form-urlencoded', 'abc', {}],
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
    ['application/json', '{"password": hunter2}', "Failed to parse request body: Unexpected token 'h' in JSON"],
    ['application/xml', '<a/>', 'Failed to parse request body: Unsupported Content-Type: "application/xml"'],
    ['multipart/form-data', '--x--', 'without a boundary'],
    ['multipart/form-data; boundary=y', '--x--', 'does not contain the boundary'],
    ['multipart/form-data; boundary=x', '--x\r\nno end', 'does not end'],
    ['multipart/form-data; boundary=x', '--x\r\n\r\nvalue\r\n--x--', 'has no name'],
  ])('of type %s: %p is rejected', async (type, sent, message) => {
    const answer = await post('/echo', type, sent);
    expect(answer.status).toBe(400);
    expect(answer.body.faultstring).toContain(message);
  });

  it('that is not UTF-8 is rejected', async () => {
    const answer = await authorised(request(app).post('/echo'))
      .set('content-type', 'application/json')
      .serialize((raw) => raw as never)
      .send(Buffer.from([0x22, 0xff, 0x22]) as never);
    expect(answer.status).toBe(400);
  });

  it('that is compressed is rejected', async () => {
    expect((await post('/echo', 'application/json', 'x').set('content-encoding', 'gzip')).status).toBe(415);
  });

  it('is checked against its schema, which fills in defaults', async () => {
    expect((await post('/checked', 'application/json', '{"n":1}')).body).toEqual({ n: 1, word: 'x' });
  });

  it.each([
    ['{}', "'n' is a required property"],
    ['', "'n' is a required property"],
    ['null', "None is not of type 'object'"],
    ['{"n":true}', "True is not of type 'integer'"],
    ['{"n":1,"m":2}', "Additional properties are not allowed ('m' was unexpected)"],
  ])('%p does not match the schema: %s', async (sent, faultstring) => {
    const answer = await post('/checked', 'application/json', sent);
    expect([answer.status, answer.body.faultstring]).toEqual([400, faultstring]);
  });

  it('is passed as text or not at all, if the route declares it so', async () => {
    expect((await post('/text', 'application/json', '{"a":')).body).toEqual({ body: '{"a":' });
    expect((await post('/ignored', 'application/xml', '<a/>')).body).toEqual({ body: null });
  });

  it('has a maximum size, whether or not its length is announced', async () => {
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

describe('a body that exceeds a limit', () => {
  it.each([
    ['nested too deep', 'application/json', '['.repeat(21) + ']'.repeat(21), /limits\.max_depth/],
    ['nested so deep that nothing else could read it', 'application/json', '['.repeat(900), /limits\.max_depth/],
    ['too wide', 'application/json', JSON.stringify(Array.from({ length: 101 }, () => 1)), /limits\.max_members/],
    ['with a long key', 'application/json', JSON.stringify({ ['k'.repeat(31)]: 1 }), /limits\.max_key_length/],
    ['with a NUL in a key', 'application/json', '{"a":{"b\\u0000":1}}', /The value at a\.b\\0 has a key with a NUL/],
    ['a form with too many fields', 'application/x-www-form-urlencoded', 'k=1&'.repeat(200), /limits\.max_members/],
    ['a form with a NUL in a name', 'application/x-www-form-urlencoded', 'a%00b=1', /NUL/],
    ['parts with a NUL in a name', 'multipart/form-data; boundary=x', form('a\0', '1'), /NUL/],
    ['a form with a long name', 'application/x-www-form-urlencoded', `${'k'.repeat(40)}=1`, /limits\.max_key_length/],
    ['parts with a long name', 'multipart/form-data; boundary=x', form('k'.repeat(40), '1'), /limits\.max_key_length/],
  ])('is rejected with the name of the limit: %s', async (_, type, sent, message) => {
    const answer = await post('/echo', type, sent);
    expect(answer.status).toBe(422);
    expect(answer.body.faultstring).toMatch(message);
  });

  it('is rejected if a string in it is too long, whatever its type', async () => {
    const data = { ...settings.data, maxStringLength: 50 };
    const strict = sampleApp(routes, { settings: { ...settings, data } }).app;
    for (const [path, type, sent] of [
      ['/text', 'application/yaml', 'x'.repeat(60)],
      ['/echo', 'text/plain', 'x'.repeat(60)],
      ['/echo', 'application/json', JSON.stringify(['x'.repeat(60)])],
      ['/echo', 'application/x-www-form-urlencoded', `a=${'x'.repeat(60)}`],
    ] as const) {
      const answer = await authorised(request(strict).post(path)).set('content-type', type).send(sent);
      expect([answer.status, answer.body.limit]).toEqual([422, 'limits.max_string_length']);
    }
  });

  it('of a large form is read like a small one', async () => {
    const openBodies = { maxBytes: 1_000_000, maxBytesPerAddress: 1_000_000 };
    const large = { ...settings, maxBodyBytes: 1_000_000, data: defaultDataLimits, openBodies };
    const roomy = sampleApp(routes, { settings: large }).app;
    const names = Array.from({ length: 20_000 }, (_, index) => `?n${index % 7000}`);
    const sent = names.map((name, index) => `${encodeURIComponent(name)}=${index}`).join('&');
    const answer = await authorised(request(roomy).post('/echo'))
      .set('content-type', 'application/x-www-form-urlencoded')
      .send(sent);
    expect(answer.status).toBe(200);
    expect(answer.body.body['?n0']).toEqual(['0', '7000', '14000']);
    expect(Object.keys(answer.body.body)).toHaveLength(7000);
  });
});

describe('credentials', () => {
  it('are checked before the body is read', async () => {
    await listening(app, async (port) => {
      const socket = connect(port, '127.0.0.1');
      socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{');
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 401 /);
      socket.destroy();
    });
  });

  it('of a route with its own kind are checked before the body is read, and are passed to the route', async () => {
    const admit: Route['admit'] = ({ header }) =>
      header('pin') === '1234'
        ? Promise.resolve({ user: 'eve', method: 'password', location: 'header', isAdmin: false })
        : Promise.reject(fault('auth.bad-credentials'));
    const door = named('door', {
      method: 'POST',
      open: true,
      admit,
      body: 'any',
      maxBodyBytes: 10,
      handle: ({ requester, body }) => ({ status: 200, body: { user: requester.user, body } }),
    });
    const guarded = sampleApp([door]).app;
    const ask = (pin: string, sent: string) =>
      request(guarded).post('/door').set('pin', pin).set('content-type', 'application/json').send(sent);
    expect((await ask('1', 'not JSON')).status).toBe(401);
    expect((await ask('1234', '{"a":1}')).body).toEqual({ user: 'eve', body: { a: 1 } });
    expect((await ask('1234', '{"a":12345}')).body).toEqual({
      faultstring: 'The request body is larger than 10 bytes.',
    });
  });
});

describe('large bodies', () => {
  const bodies = { ...settings, maxBodyBytes: 200_000, data: defaultDataLimits };
  const head = 'POST /text HTTP/1.1\r\nHost: x\r\nX-Auth-Token: key\r\nContent-Length: 100000\r\n\r\n';
  const LONG = Buffer.alloc(16_000_000, 'x');
  /** In each interval, 1 MiB of refused bodies is read. */
  const INTERVAL_MS = 25;

  /** Sends a long body without credentials. @returns what the server has answered when it closes the connection */
  async function refused(port: number): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => (answer += String(data)));
    socket.on('error', () => undefined);
    socket.write(`POST /text HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${LONG.length}\r\n\r\n`);
    socket.write(LONG);
    await new Promise((resolve) => socket.once('close', resolve));
    return answer;
  }

  /** Sends most of several bodies, and returns the responses that arrive at once. */
  async function held(app: HttpApp, count: number, use: (port: number, answers: string[]) => Promise<void>) {
    await listening(app, async (port) => {
      const answers: string[] = [];
      const refused = deferred();
      const sockets = Array.from({ length: count }, () => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.on('data', (data) => {
          answers.push(String(data));
          refused.resolve();
        });
        socket.write(head + 'x'.repeat(60_000));
        return socket;
      });
      await refused.promise;
      await use(port, answers);
      for (const socket of sockets) socket.destroy();
    });
  }

  it.each([
    [
      'from one address',
      { maxBytes: 1_000_000, maxBytesPerAddress: 100_000 },
      /limits\.max_open_body_bytes_per_address/,
    ],
    ['from everywhere', { maxBytes: 100_000, maxBytesPerAddress: 1_000_000 }, /limits\.max_open_body_bytes\)/],
  ])('that are incomplete have a total limit, %s; small ones do not count', async (_, openBodies, message) => {
    const { app } = sampleApp(routes, { settings: { ...bodies, openBodies } });
    await held(app, 4, async (port, answers) => {
      expect(answers[0]).toMatch(/^HTTP\/1\.1 429 /);
      expect(answers[0]).toMatch(message);
      expect(answers[0]).toMatch(/Connection: close/);
      const small = await fetch(`http://127.0.0.1:${port}/text`, {
        method: 'POST',
        headers: { 'x-auth-token': 'key' },
        body: 'x'.repeat(10_000),
      });
      expect(small.status).toBe(200);
    });
  });

  it.each(['Content-Length: 1000000000', 'Transfer-Encoding: chunked'])(
    'without credentials are not read to their end (%s)',
    async (length) => {
      const { app } = sampleApp(routes);
      await listening(app, async (port) => {
        const socket = connect(port, '127.0.0.1');
        let answer = '';
        socket.on('data', (data) => (answer += String(data)));
        socket.on('error', () => undefined);
        socket.write(`POST /text HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n`);
        await once(socket, 'close');
        expect(answer).toMatch(/^HTTP\/1\.1 401 /);
        expect(answer).toMatch(/Connection: close/);
      });
    },
  );

  it('that are too long get their response, though the client reads it only after it has sent everything', async () => {
    const { app } = sampleApp(routes);
    await listening(app, async (port) => {
      for (let round = 0; round < 5; round++) {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
        const failed = jest.fn();
        socket.on('error', failed);
        const head = `POST /text HTTP/1.1\r\nHost: localhost\r\nX-Auth-Token: key\r\nContent-Length: ${LONG.length}\r\n\r\n`;
        socket.write(head);
        await new Promise((resolve) => socket.write(LONG, resolve));
        let answer = '';
        socket.on('data', (data) => (answer += String(data)));
        await once(socket, 'end');
        expect([answer.slice(0, 12), failed.mock.calls]).toEqual(['HTTP/1.1 413', []]);
        socket.end();
        await once(socket, 'close');
      }
    });
  });

  it('without credentials are read at a limited rate, all together, and their clients get their response', async () => {
    const { app } = sampleApp(routes);
    await listening(app, async (port, server) => {
      let read = 0;
      const closed: Promise<unknown>[] = [];
      server.on('connection', (socket) => {
        closed.push(once(socket, 'close').then(() => (read += socket.bytesRead)));
      });
      const start = performance.now();
      const answers = await Promise.all(Array.from({ length: 16 }, () => refused(port)));
      await Promise.all(closed);
      const intervals = (performance.now() - start) / INTERVAL_MS + 1;
      expect(answers.filter((answer) => !/^HTTP\/1\.1 401 /.test(answer))).toEqual([]);
      // Up to two chunks of 64 kB have been read from each connection before the limit counts.
      expect(read).toBeLessThanOrEqual(intervals * MIB + 16 * 2 * 64 * KIB);
    });
  });

  it('without credentials are dropped and keep their connection if they are short', async () => {
    const { app } = sampleApp(routes);
    await listening(app, async (port) => {
      const socket = connect(port, '127.0.0.1');
      const head = 'POST /text HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n';
      for (let round = 0; round < 2; round++) {
        socket.write(head);
        const [answer] = (await once(socket, 'data')) as [Buffer];
        expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
        expect(String(answer)).not.toMatch(/Connection: close/);
        socket.write('x'.repeat(900));
      }
      socket.destroy();
    });
  });

  it('are accepted again when the others are answered or gone', async () => {
    const openBodies = { maxBytes: 100_000, maxBytesPerAddress: 100_000 };
    const { app } = sampleApp(routes, { settings: { ...bodies, openBodies } });
    await listening(app, async (port) => {
      for (let round = 0; round < 5; round++) {
        const answer = await fetch(`http://127.0.0.1:${port}/text`, {
          method: 'POST',
          headers: { 'x-auth-token': 'key' },
          body: 'x'.repeat(90_000),
        });
        expect(answer.status).toBe(200);
        await answer.text();
      }
    });
  });
});

describe('an open stream of events', () => {
  const stream: Route = named('events', {
    permission: 'stream_view',
    handle: () => ({
      status: 200,
      stream: (sink) => {
        sink.open();
        return sink.closed;
      },
    }),
  });
  const refusals: [string, (isRefused: () => boolean) => Partial<HttpAppOptions>][] = [
    [
      'credential is revoked',
      (isRefused) => ({
        authenticate: (given) => (isRefused() ? Promise.reject(fault('auth.unknown-token')) : authenticate(given)),
      }),
    ],
    [
      'permission is taken away',
      (isRefused) => ({
        access: {
          ...openAccess,
          enabled: true,
          authorise({ user }, permission) {
            if (isRefused()) throw fault('auth.forbidden', { user, permission });
          },
        },
      }),
    ],
  ];

  it.each(refusals)('ends after its %s', async (_what, options) => {
    let requests = 0;
    // The first check admits the request.
    const { app } = sampleApp(
      [stream],
      options(() => ++requests > 1),
    );
    const { status, text } = await authorised(request(app).get('/events'));
    expect([status, text]).toEqual([200, expect.stringContaining(': closed: the credential no longer permits this')]);
  });

  it('goes on while the store does not answer', async () => {
    let requests = 0;
    const heldUp: Authenticate = async (given) => {
      requests += 1;
      if (requests === 2) throw fault('general.unavailable', { text: 'away' });
      if (requests === 3) throw fault('auth.expired-token');
      return authenticate(given);
    };
    await authorised(request(sampleApp([stream], { authenticate: heldUp }).app).get('/events'));
    expect(requests).toBe(3);
  });
});

/** A value that JSON.stringify cannot serialize. */
function deep(): unknown {
  let value: unknown = 1;
  for (let level = 0; level < 20_000; level++) value = [value];
  return value;
}

describe('a response that cannot be serialized', () => {
  const unwritable: Route[] = [
    named('record', {
      handle: () => ({ status: 200, body: { id: '1', result: deep(), status: 'failed', x: undefined } }),
    }),
    named('list', { handle: () => ({ status: 200, body: [{ id: '1' }, { id: '2', result: deep() }, { id: '3' }] }) }),
    named('all', { handle: () => ({ status: 200, body: deep() }) }),
    named('header', { handle: () => ({ status: 200, body: 1, headers: { 'X-Odd': 'a\nb' } }) }),
    named('status', { handle: () => ({ status: 1e9, body: 1 }) }),
    named('events', {
      handle: () => ({
        status: 200,
        stream: (sink) => {
          sink.send({ event: 'good', data: 1 });
          sink.send({ event: 'bad', data: deep() });
          return Promise.resolve();
        },
      }),
    }),
  ];
  const note = { unreadable: 'too large or nested too deeply' };
  const broken = sampleApp(unwritable, { checkResponses: false });
  const ask = (path: string) => authorised(request(broken.app).get(path));

  it('is sent without the part that cannot be serialized', async () => {
    expect((await ask('/record')).body).toEqual({ id: '1', result: note, status: 'failed' });
    expect((await ask('/list')).body).toEqual([{ id: '1' }, { id: '2', result: note }, { id: '3' }]);
    expect(JSON.stringify((await ask('/all')).body)).toContain(note.unreadable);
    expect(JSON.stringify(broken.lines)).toContain('a part of the response could not be serialized');
  });

  it.each(['/header', '/status'])('becomes a 500 with the id of the request: %s', async (path) => {
    const answer = await ask(path).set('x-request-id', 'mine');
    expect([answer.status, answer.body]).toEqual([500, { faultstring: 'Internal Server Error' }]);
    expect(answer.headers['x-request-id']).toBe('mine');
  });

  it('only ends its own stream', async () => {
    expect((await ask('/events')).text).toContain(': error: the stream failed');
    expect((await ask('/record')).status).toBe(200);
  });

  it('does not keep the client waiting if logging fails as well', async () => {
    const logger = { ...keptLog().logger, info: () => undefined, error: () => undefined };
    const observe = () => {
      throw new Error('nobody may observe');
    };
    const { app } = sampleApp(routes, { logger, observe });
    expect((await authorised(request(app).get('/bytes'))).status).toBe(200);
  });
});

describe('a response', () => {
  it('can be empty, a page or bytes', async () => {
    const empty = await authorised(request(app).delete('/empty'));
    expect([empty.status, empty.text, empty.headers['content-length']]).toEqual([204, '', undefined]);
    expect((await request(app).get('/page')).headers['content-type']).toBe('text/html');
    expect((await get('/bytes')).body).toEqual(Buffer.from([1, 2]));
  });

  it('has the additional members of a fault', async () => {
    const answer = await get('/conflict');
    expect([answer.status, answer.body]).toEqual([
      409,
      { 'conflict-id': 'abc', faultstring: 'Tried to save duplicate unique keys (ref)' },
    ]);
  });

  it('does not show an unexpected error, which is in the log', async () => {
    const answer = await get('/broken');
    expect([answer.status, answer.text]).toEqual([500, '{"faultstring":"Internal Server Error"}']);
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      { message: expect.stringContaining('swordfish') },
    ]);
  });

  it('that does not match its schema fails in tests', async () => {
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
  ])('from %p are allowed for %p', async (origin, allowed) => {
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

  it('may use the older key header and an idempotency key', async () => {
    const answer = await request(app)
      .options('/')
      .set('access-control-request-headers', 'st2-api-key, idempotency-key');
    const allowed = 'Content-Type,Authorization,X-Auth-Token,St2-Api-Key,X-Request-ID,Idempotency-Key';
    expect(answer.headers['access-control-allow-headers']).toBe(allowed);
  });
});

describe('permissions', () => {
  it('are checked for each route', async () => {
    const asked: string[] = [];
    const access = {
      ...openAccess,
      enabled: true,
      authorise({ user }: Actor, permission: string) {
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
  it('have the route, method, status and duration', async () => {
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
  ])('at %s needs no credentials and is not logged', async (path, status) => {
    const answer = await request(app).get(path);
    expect([answer.status, answer.body.checks]).toEqual([status, { store: 'does not respond' }]);
    expect(lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });
});

describe('the OpenAPI document', () => {
  it('is served without credentials and describes each route', async () => {
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
    expect(body.paths['/v1/echo'].post.responses).toMatchObject({
      400: { $ref: '#/components/responses/Invalid' },
      409: { $ref: '#/components/responses/Conflict' },
      '4XX': { $ref: '#/components/responses/Failure' },
    });
    const { Fault, InvalidFault, ConflictFault, BusyFault } = body.components.schemas;
    const members = [Fault, InvalidFault, ConflictFault, BusyFault].map(({ properties }) => Object.keys(properties));
    expect(members).toEqual([
      ['faultstring', 'limit'],
      ['faultstring', 'field', 'failures', 'line', 'column'],
      ['faultstring', 'conflict-id'],
      ['faultstring', 'retry_after'],
    ]);
  });
});
