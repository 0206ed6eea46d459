import { request } from './request-fixture';
import { startServer, type Received, type TestServer } from './http-servers';

let server: TestServer;
beforeAll(async () => {
  server = await startServer((_, response) => response.end('ok'));
});
afterAll(() => server.close());

/** The request that the server receives with these parameters. */
async function sent(parameters: Readonly<Record<string, unknown>>): Promise<Received> {
  server.received.length = 0;
  expect(await request({ url: `${server.url}/`, ...parameters })).toMatchObject({ status: 'succeeded' });
  return server.received[0]!;
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('an HTTP request', () => {
  it.each([
    ['nothing else', {}, 'GET'],
    ['a body', { body: 'x' }, 'POST'],
    ['an empty body', { body: '' }, 'GET'],
    ['a file', { file_name: 'f', file_content: 'x' }, 'POST'],
    ['a body and a method', { body: 'x', method: 'PUT' }, 'PUT'],
    ['a method in small letters', { method: 'delete' }, 'DELETE'],
    ['the method PURGE', { method: 'PURGE' }, 'PURGE'],
    ['the method TRACE', { method: 'TRACE' }, 'TRACE'],
    ['the method OPTIONS', { method: 'OPTIONS' }, 'OPTIONS'],
  ])('with %s uses the method %s', async (_name, parameters, method) => {
    expect((await sent(parameters)).method).toBe(method);
  });

  it.each([
    ['/a b?x=1', {}, '/a%20b?x=1'],
    [
      '/',
      { params: { q: 'a b&c', n: 2, yes: true, no: null, list: ['x', 1] } },
      '/?q=a+b%26c&n=2&yes=True&list=x&list=1',
    ],
    ['/?x=1', { params: { y: 'ž' } }, '/?x=1&y=%C5%BE'],
    ['/?x=1', { params: {} }, '/?x=1'],
    ['/#part', {}, '/'],
  ])('to %s with %j requests %s', async (path, parameters, url) => {
    expect((await sent({ url: server.url + path, ...parameters })).url).toBe(url);
  });

  it('always sends its own User-Agent', async () => {
    const headers = { 'user-agent': 'x', 'x-stanley-action': 'y', Accept: 'text/plain' };
    expect((await sent({ headers })).headers).toMatchObject({
      'user-agent': expect.stringMatching(/^st2\/v\d/) as string,
      'x-stanley-action': 'fetch',
      accept: 'text/plain',
      'accept-encoding': 'gzip, deflate, br',
    });
  });

  it.each([
    ['nothing without a span', {}, {}, {}],
    ['the span of the run', { TRACEPARENT: 'p', TRACESTATE: 's' }, {}, { traceparent: 'p', tracestate: 's' }],
    ['no empty state', { TRACEPARENT: 'p', TRACESTATE: '' }, {}, { traceparent: 'p' }],
    [
      'the header of the action instead',
      { TRACEPARENT: 'p', TRACESTATE: 's' },
      { TraceParent: 'own' },
      { traceparent: 'own' },
    ],
  ])('sends %s', async (_name, environment, given, expected) => {
    server.received.length = 0;
    await request({ url: `${server.url}/`, headers: given }, { environment });
    const { traceparent, tracestate } = server.received[0]!.headers;
    expect({ traceparent, tracestate }).toEqual({ traceparent: undefined, tracestate: undefined, ...expected });
  });

  it('keeps the case of header names, and converts values to text', async () => {
    const { rawHeaders: names } = await sent({ headers: { 'X-CamelCase': 5, 'x-flag': true, 'X-None': null } });
    expect(names.join(' ')).toMatch(/X-CamelCase 5 x-flag True/);
    expect(names).not.toContain('X-None');
  });

  it('counts the bytes of a body, not its characters', async () => {
    const { headers, body } = await sent({ body: 'žluť 🎉', headers: { 'Content-Length': '3' } });
    expect(headers['content-length']).toBe('11');
    expect(body.toString()).toBe('žluť 🎉');
  });

  const json = { 'Content-Type': 'application/json' };

  it.each([
    ['JSON text unchanged', `{"a":  12345678901234567890}`, json, `{"a":  12345678901234567890}`, 'application/json'],
    ['a Python literal as JSON', `{'a': None, 'b': (1, True)}`, json, '{"a":null,"b":[1,true]}', 'application/json'],
    ['an object as JSON', { a: [1] }, json, '{"a":[1]}', 'application/json'],
    ['text of another type unchanged', `{'a'}`, { 'Content-Type': 'text/plain' }, `{'a'}`, 'text/plain'],
    [
      'JSON of a type with parameters unchanged',
      `{'a'`,
      { 'content-type': 'application/json; charset=x' },
      `{'a'`,
      'application/json; charset=x',
    ],
    ['an object as a form', { a: 'b c', d: [1, 2] }, {}, 'a=b+c&d=1&d=2', 'application/x-www-form-urlencoded'],
    [
      'pairs as a form',
      [
        ['a', 1],
        ['a', 2],
      ],
      {},
      'a=1&a=2',
      'application/x-www-form-urlencoded',
    ],
    ['an object as a form of its type', { a: 1 }, { 'Content-Type': 'x/y' }, 'a=1', 'x/y'],
    ['a number as text', 5, {}, '5', undefined],
  ])('sends %s', async (_name, body, headers, text, type) => {
    const got = await sent({ body, headers });
    expect([got.body.toString(), got.headers['content-type']]).toEqual([text, type]);
  });

  it('sends a file as a multipart form, with the fields of the body', async () => {
    const file = { file_name: 'a"b.txt', file_content: 'čau', file_content_type: 'text/plain' };
    const got = await sent({ ...file, body: { x: [1, 2] }, headers: { 'Content-Type': 'text/html' } });
    const boundary = /^multipart\/form-data; boundary=(\w+)$/.exec(got.headers['content-type'] ?? '')![1]!;
    expect(got.body.toString().split(`--${boundary}`)).toEqual([
      '',
      '\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n',
      '\r\nContent-Disposition: form-data; name="x"\r\n\r\n2\r\n',
      '\r\nContent-Disposition: form-data; name="a%22b.txt"; filename="a%22b.txt"\r\nContent-Type: text/plain\r\n\r\nčau\r\n',
      '--\r\n',
    ]);
  });

  it.each([
    ['name and password', { username: 'u', password: 'p' }, basic('u:p')],
    ['a name', { username: 'u' }, basic('u:')],
    ['a password', { password: 'p' }, basic(':p')],
    ['auth as a pair in a text', { auth: 'u:p:q' }, basic('u:p:q')],
    ['auth as a list', { auth: ['u', 'p'] }, basic('u:p')],
    ['auth as a whole value', { auth: 'Bearer abc' }, 'Bearer abc'],
    ['name and password before auth', { username: 'u', password: 'p', auth: 'Bearer abc' }, basic('u:p')],
    ['name and password before the header', { username: 'u', headers: { authorization: 'x' } }, basic('u:')],
    ['the header', { headers: { authorization: 'x' } }, 'x'],
    ['letters outside of ASCII', { username: 'ž', password: '1' }, basic('ž:1')],
    ['nothing', {}, undefined],
  ])('authenticates with %s', async (_name, parameters, value) => {
    expect((await sent(parameters)).headers.authorization).toBe(value);
  });

  it('removes the credentials from the URL', async () => {
    const got = await sent({ url: `http://us%20er:p%40@127.0.0.1:${server.port}/` });
    expect(got.headers).toMatchObject({ authorization: basic('us er:p@'), host: `127.0.0.1:${server.port}` });
  });

  it.each([
    ['the parameter', { cookies: { a: '1', b: 2 } }, 'a=1; b=2'],
    ['a header', { headers: { Cookie: 'x=y; z=1' }, cookies: { a: '1' } }, 'x=y; z=1'],
    ['nowhere', {}, undefined],
  ])('has cookies from %s', async (_name, parameters, value) => {
    expect((await sent(parameters)).headers.cookie).toBe(value);
  });
});

describe('an HTTP request is rejected for', () => {
  it.each([
    ['no URL', { url: '' }, 'Invalid URL "": no scheme such as https:// supplied.'],
    [
      'a URL without a scheme',
      { url: 'example.org/x' },
      'Invalid URL "example.org/x": no scheme such as https:// supplied.',
    ],
    ['another protocol', { url: 'file:///etc/passwd' }, 'Invalid URL "file:///etc/passwd": it has no host.'],
    [
      'another protocol with a host',
      { url: 'ftp://u:secret@h/x' },
      'Invalid URL "ftp://********@h/x": no such protocol: ftp:.',
    ],
    ['a bad port', { url: 'http://u:secret@h:99999/' }, 'Invalid URL "http://********@h:99999/": it has no host.'],
    [
      'a body that is not JSON',
      { body: '{oops', headers: { 'Content-Type': 'application/json' } },
      'Unable to send the body: it is neither JSON nor a Python literal (neither JSON nor a literal at character 5).',
    ],
    ['a list that is not a form', { body: [1] }, 'Unable to send the body: a list must contain pairs.'],
    [
      'a text beside a file',
      { body: 'x', file_name: 'f', file_content: 'c' },
      'A file is sent as part of a form, so the body must be an object with the other form fields.',
    ],
    ['a header that has no name', { headers: { ž: 1 } }, 'Invalid header "ž": it is not a valid header name.'],
    ['a header of two lines', { headers: { A: 'b\r\nC: d' } }, 'Invalid header "A": its value contains a line break.'],
    [
      'a proxy of another kind',
      { http_proxy: 'socks5://u:secret@h' },
      'The proxy "socks5://********@h" cannot be used: it is neither an http nor an https URL.',
    ],
  ])('%s', async (_name, parameters, error) => {
    expect(await request({ url: `${server.url}/`, ...parameters })).toEqual({ status: 'failed', result: { error } });
  });
});
