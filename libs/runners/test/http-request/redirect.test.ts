import { request } from './request-fixture';
import { startServer, type TestServer } from './http-servers';

/** One server under two names, which count as different hosts, and another server. */
let server: TestServer;
let other: TestServer;
let local: string;
beforeAll(async () => {
  other = await startServer((_, response) => response.end('from the other'));
  server = await startServer(({ url }, response) => {
    const asked = new URL(url, 'http://x').searchParams;
    const status = Number(asked.get('status') ?? 200);
    for (const cookie of asked.getAll('cookie')) response.appendHeader('Set-Cookie', cookie);
    if (asked.has('to')) response.setHeader('Location', asked.get('to')!);
    response.writeHead(status).end('body');
  });
  local = `http://localhost:${server.port}`;
});
afterAll(async () => {
  await server.close();
  await other.close();
});
beforeEach(() => {
  server.received.length = 0;
  other.received.length = 0;
});

const redirect = (status: number, to: string, rest = '') =>
  `${server.url}/from?status=${status}&to=${encodeURIComponent(to)}${rest}`;

const follow = (url: string, parameters: Readonly<Record<string, unknown>> = {}) =>
  request({ url, allow_redirects: true, ...parameters });

describe('redirects of an HTTP request', () => {
  it('are not followed by default', async () => {
    expect(await follow(redirect(302, '/to'), { allow_redirects: false })).toMatchObject({
      status: 'failed',
      result: { status_code: 302, headers: { Location: '/to' } },
    });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    [301, 'POST', 'GET', ''],
    [301, 'PUT', 'PUT', ''],
    [302, 'POST', 'GET', ''],
    [302, 'PUT', 'GET', ''],
    [302, 'HEAD', 'HEAD', ''],
    [303, 'DELETE', 'GET', ''],
    [303, 'HEAD', 'HEAD', ''],
    [307, 'POST', 'POST', 'data'],
    [308, 'PUT', 'PUT', 'data'],
  ])('with the code %d turn a %s into a %s with the body "%s"', async (status, method, next, body) => {
    const headers = { 'Content-Type': 'text/plain', 'X-Mine': '1' };
    expect((await follow(redirect(status, '/to'), { method, body: 'data', headers })).status).toBe('succeeded');
    const last = server.received.at(-1)!;
    expect([last.url, last.method, last.body.toString()]).toEqual(['/to', next, body]);
    expect(last.headers).toMatchObject({ 'x-mine': '1' });
    expect(last.headers['content-type']).toBe(body === '' ? undefined : 'text/plain');
  });

  it.each([
    ['/a/b?c#d', '/a/b?c'],
    ['next', '/next'],
    ['?status=204', '/from?status=204'],
    ['//127.0.0.1:PORT/there', '/there'],
    ['/with blank', '/with%20blank'],
  ])('follow the location %s', async (to, url) => {
    expect((await follow(redirect(302, to.replace('PORT', String(server.port))))).status).toBe('succeeded');
    expect(server.received.at(-1)!.url).toBe(url);
  });

  it('end after thirty', async () => {
    const run = await follow(`${server.url}/loop?status=307&to=`);
    expect(run).toEqual({ status: 'failed', result: { error: 'Exceeded 30 redirects.' } });
    expect(server.received).toHaveLength(31);
  });

  it.each([
    ['a redirect without a location', 302, undefined, 302],
    ['a location without a redirect', 201, '/to', 201],
  ])('are not %s', async (_name, status, to, code) => {
    const run = await follow(`${server.url}/?status=${status}${to === undefined ? '' : `&to=${to}`}`);
    expect(run.result).toMatchObject({ status_code: code });
    expect(server.received).toHaveLength(1);
  });

  it('to another protocol fail', async () => {
    expect((await follow(redirect(302, 'file:///etc/passwd'))).result).toEqual({
      error: 'Invalid URL "file:///etc/passwd": it has no host.',
    });
  });
});

describe('across hosts', () => {
  const secrets = {
    username: 'u',
    password: 'secret',
    cookies: { sid: 'secret' },
    headers: { 'X-Auth-Token': 'secret', 'St2-Api-Key': 'secret', Host: 'given.example', 'X-Mine': '1' },
  };

  it.each([
    ['the same server', () => `${server.url}/to`, () => server, true],
    ['another name', () => `${local}/to`, () => server, false],
    ['another port', () => `${other.url}/to`, () => other, false],
  ])('credentials are sent only to the original host: %s', async (_name, to, receiver, isTold) => {
    expect((await follow(redirect(307, to()), secrets)).status).toBe('succeeded');
    const { headers } = receiver().received.at(-1)!;
    expect(
      [headers.authorization, headers.cookie, headers['x-auth-token'], headers['st2-api-key']].map(Boolean),
    ).toEqual([isTold, isTold, isTold, isTold]);
    expect(headers['x-mine']).toBe('1');
    expect(headers.host).toBe(isTold ? 'given.example' : new URL(to()).host);
  });

  it('credentials in the URL of a redirect are ignored', async () => {
    await follow(redirect(302, `http://a:b@localhost:${server.port}/to`));
    expect(server.received.at(-1)!.headers.authorization).toBeUndefined();
  });

  it.each([
    ['are sent back to the server that set them', 'a=1', '/to', 'a=1'],
    ['replace those of the caller', 'given=2', '/to', 'given=2'],
    ['are added to those of the caller', 'a=1', '/to', 'given=1; a=1'],
    ['are removed with an age of 0', 'given=; Max-Age=0', '/to', undefined],
    ['are removed when their date has passed', 'given=; Expires=Thu, 01 Jan 1970 00:00:00 GMT', '/to', undefined],
    ['are not sent outside of their path', 'a=1; Path=/deep', '/to', 'given=1'],
    ['are sent to their path', 'a=1; Path=/deep', '/deep/er', 'given=1; a=1'],
    ['are not sent without TLS if they are secure', 'a=1; Secure', '/to', 'given=1'],
    ['are not sent to another host', 'a=1', 'http://localhost:PORT/to', undefined],
    ['cannot be set for another host', 'a=1; Domain=localhost', 'http://localhost:PORT/to', undefined],
  ])('cookies of servers %s', async (name, set, to, expected) => {
    const cookies = name === 'are sent back to the server that set them' ? {} : { given: '1' };
    const target = to.replace('PORT', String(server.port));
    await follow(redirect(302, target, `&cookie=${encodeURIComponent(set)}`), { cookies });
    expect(server.received.at(-1)!.headers.cookie).toBe(expected);
  });
});

describe('lists of hosts', () => {
  const blacklisted = (url: string) => ({ status: 'failed', result: { error: `URL "${url}" is blacklisted` } });
  const notWhitelisted = (url: string) => ({ status: 'failed', result: { error: `URL "${url}" is not whitelisted` } });

  it.each([
    [
      'http://127.0.0.1:1/x',
      { url_hosts_blacklist: ['example.org', '127.0.0.1'] },
      blacklisted('http://127.0.0.1:1/x'),
    ],
    ['http://EXAMPLE.org/', { url_hosts_blacklist: ['example.ORG'] }, blacklisted('http://EXAMPLE.org/')],
    ['http://example.org./', { url_hosts_blacklist: ['example.org'] }, blacklisted('http://example.org./')],
    ['http://0x7f000001/', { url_hosts_blacklist: ['127.0.0.1'] }, blacklisted('http://0x7f000001/')],
    ['http://[0:0::1]:80/', { url_hosts_blacklist: ['::1'] }, blacklisted('http://[0:0::1]:80/')],
    ['http://[::1]/', { url_hosts_blacklist: ['[::1]'] }, blacklisted('http://[::1]/')],
    ['http://me:pw@127.0.0.1/', { url_hosts_blacklist: ['127.0.0.1'] }, blacklisted('http://********@127.0.0.1/')],
    ['http://127.0.0.1:1/', { url_hosts_whitelist: ['localhost'] }, notWhitelisted('http://127.0.0.1:1/')],
    [
      'http://127.0.0.1:1/',
      { url_hosts_whitelist: ['a'], url_hosts_blacklist: ['b'] },
      {
        status: 'failed',
        result: {
          error:
            '"url_hosts_blacklist" and "url_hosts_whitelist" parameters are mutually exclusive. Only one should be provided.',
        },
      },
    ],
  ])('block a request to %s with %j', async (url, lists, expected) => {
    expect(await request({ url, ...lists })).toEqual(expected);
  });

  it.each([
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://0',
    'http://0.0.0.0',
    'http://[::]',
    'http://[::ffff:0.0.0.0]',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://2130706433',
    'http://127.1',
    'http://127.0.0.1.',
    'http://localhost',
  ])('block a listed address written as %s', async (host) => {
    const url = `${host}:${server.port}/`;
    const lists = { url_hosts_blacklist: ['127.0.0.1', '::1'] };
    expect(await request({ url, ...lists })).toMatchObject({
      status: 'failed',
      result: { error: expect.stringMatching(/^URL ".*" is blacklisted$/) as string },
    });
  });

  it('block an address in any notation of the list', async () => {
    const { status } = await request({ url: `${server.url}/`, url_hosts_blacklist: ['[::ffff:7f00:1]'] });
    expect(status).toBe('failed');
  });

  it.each([
    [{ url_hosts_blacklist: ['localhost'] }],
    [{ url_hosts_blacklist: [] }],
    [{ url_hosts_whitelist: ['127.0.0.1'] }],
    [{ url_hosts_whitelist: [], url_hosts_blacklist: [] }],
  ])('allow a request with %j', async (lists) => {
    expect((await request({ url: `${server.url}/`, ...lists })).status).toBe('succeeded');
  });

  it.each([
    [{ url_hosts_blacklist: ['localhost'] }, 'blacklisted'],
    [{ url_hosts_whitelist: ['127.0.0.1'] }, 'not whitelisted'],
  ])('also apply to redirects with %j', async (lists, text) => {
    const to = `http://localhost:${server.port}/to`;
    expect(await follow(redirect(302, to), lists)).toEqual({
      status: 'failed',
      result: { error: `URL "${to}" is ${text}` },
    });
    expect(server.received).toHaveLength(1);
  });
});
