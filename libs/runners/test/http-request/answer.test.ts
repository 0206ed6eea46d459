import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { request } from './request-fixture';
import { startServer, type Handler, type TestServer } from './http-servers';

let server: TestServer;
let answer: Handler;
beforeAll(async () => {
  server = await startServer((received, response) => answer(received, response));
});
afterAll(() => server.close());

/** The result of a request with this response. */
function answered(handler: Handler, parameters: Readonly<Record<string, unknown>> = {}, maxOutputBytes = 1_000_000) {
  answer = handler;
  return request({ url: server.url, ...parameters }, { settings: { maxOutputBytes, environment: {} } });
}

const withBody =
  (body: string | Buffer, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    response.writeHead(200, headers).end(body);

describe('the result of an HTTP request', () => {
  it('contains status, body, and headers with their original names', async () => {
    const { result, ...rest } = await answered((_, response) => {
      response.writeHead(201, [
        'Content-Type',
        'application/json; charset=utf-8',
        'X-CamelCase',
        'a',
        'x-camelcase',
        'b',
      ]);
      response.end('{"a": [1, null]}');
    });
    expect(rest).toEqual({ status: 'succeeded', truncated: false });
    expect(result).toEqual({
      status_code: 201,
      body: { a: [1, null] },
      parsed: true,
      headers: expect.objectContaining({
        'Content-Type': 'application/json; charset=utf-8',
        'X-CamelCase': 'a, b',
        Date: expect.any(String) as string,
      }) as object,
    });
  });

  it.each([
    [
      'nested too deep',
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
      /^\[\[.*\]\]\n\[kept as text: .*limits\.max_depth\)\]$/,
    ],
    ['too wide', `[${'1,'.repeat(200_001)}1]`, /\[kept as text: .*limits\.max_members\)\]$/],
    ['with a NUL in a key', '{"a\\u0000": 1}', /\[kept as text: .* has a key with a NUL character\]$/],
  ])('has the body as text with a note when it is %s', async (_, body, text) => {
    const { status, result } = await answered(withBody(body, { 'Content-Type': 'application/json' }));
    expect([status, result['parsed']]).toEqual(['succeeded', false]);
    expect(result['body']).toMatch(text);
  });

  it.each([
    [200, 'succeeded'],
    [204, 'succeeded'],
    [206, 'succeeded'],
    [207, 'succeeded'],
    [208, 'succeeded'],
    [226, 'succeeded'],
    [209, 'failed'],
    [300, 'failed'],
    [302, 'failed'],
    [304, 'failed'],
    [401, 'failed'],
    [500, 'failed'],
  ])('has for the code %d the status %s', async (code, status) => {
    const run = await answered((_, response) => response.writeHead(code, { Location: '/next' }).end());
    expect([run.status, run.result['status_code'], run.result['body']]).toEqual([status, code, '']);
  });

  it('has no body for the code 304, which may have the length of the content that was not modified', async () => {
    const { status, result } = await answered((_, response) => response.writeHead(304, { 'Content-Length': 93 }).end());
    expect([status, result['status_code'], result['body'], result['headers']]).toMatchObject([
      ...['failed', 304, ''],
      { 'Content-Length': '93' },
    ]);
  });

  const json = { 'Content-Type': 'application/json' };
  const latin1 = Buffer.from('pěna'.replace('ě', 'é'), 'latin1');

  it.each([
    ['JSON', withBody('[1, "a"]', json), [1, 'a'], true],
    ['JSON with a type in capitals', withBody('5', { 'Content-Type': 'Application/JSON ; x=y' }), 5, true],
    ['JSON after a byte order mark', withBody('\uFEFF{}', json), {}, true],
    [
      'JSON with long numbers',
      withBody('{"id": 12345678901234567890, "b": 1.5}', json),
      { id: '12345678901234567890', b: 1.5 },
      true,
    ],
    ['invalid JSON', withBody('{oops', json), '{oops', false],
    ['nothing as JSON', withBody('', json), '', false],
    ['JSON of another type', withBody('{}', { 'Content-Type': 'application/problem+json' }), '{}', false],
    ['JSON without a type', withBody('{}'), '{}', false],
    ['UTF-8', withBody('čau 🎉'), 'čau 🎉', false],
    ['a charset', withBody(latin1, { 'Content-Type': 'text/x; charset="ISO-8859-1"' }), 'péna', false],
    ['an unknown charset', withBody('čau', { 'Content-Type': 'text/x; charset=klingon' }), 'čau', false],
    ['a text that is not UTF-8', withBody(latin1, { 'Content-Type': 'text/plain' }), 'péna', false],
    ['XML that is not UTF-8', withBody(latin1, { 'Content-Type': 'application/atom+xml' }), 'péna', false],
    ['bytes', withBody(latin1, { 'Content-Type': 'image/png' }), latin1.toString('base64'), false],
    ['bytes without a type', withBody(Buffer.from([0xff, 0, 1])), '/wAB', false],
    ['gzip', withBody(gzipSync('packed'), { 'Content-Encoding': 'gzip' }), 'packed', false],
    ['deflate', withBody(deflateSync('packed'), { 'Content-Encoding': 'deflate' }), 'packed', false],
    ['bare deflate', withBody(deflateRawSync('packed'), { 'Content-Encoding': 'Deflate' }), 'packed', false],
    ['brotli', withBody(brotliCompressSync('packed'), { 'Content-Encoding': 'br' }), 'packed', false],
    [
      'two encodings',
      withBody(gzipSync(brotliCompressSync('packed')), { 'Content-Encoding': 'br, gzip' }),
      'packed',
      false,
    ],
    ['packed JSON', withBody(gzipSync('{"a": 1}'), { ...json, 'Content-Encoding': 'gzip' }), { a: 1 }, true],
    ['nothing, packed', withBody('', { 'Content-Encoding': 'gzip' }), '', false],
    ['an unknown encoding', withBody('as it is', { 'Content-Encoding': 'zip9' }), 'as it is', false],
    [
      'chunks that split a character',
      (_request: unknown, response: Parameters<Handler>[1]) => {
        response.write(Buffer.from([0xc4]));
        setImmediate(() => response.end(Buffer.from([0x8d])));
      },
      'č',
      false,
    ],
  ] as const)('reads %s', async (_name, handler, body, parsed) => {
    expect((await answered(handler)).result).toMatchObject({ body, parsed });
  });

  it('has no body for a HEAD request', async () => {
    const run = await answered(withBody('text', { 'Content-Encoding': 'gzip' }), { method: 'HEAD' });
    expect(run).toMatchObject({ status: 'succeeded', result: { body: '', parsed: false } });
  });

  it.each([
    ['plain', 'x'.repeat(2_000_000), {}],
    ['packed', gzipSync('x'.repeat(2_000_000)), { 'Content-Encoding': 'gzip' }],
    ['JSON', `"${'x'.repeat(2_000_000)}"`, json],
  ])('is truncated when the body is too large: %s', async (_name, body, headers) => {
    const { status, truncated, result } = await answered(withBody(body, headers), {}, 1000);
    expect({ status, truncated, parsed: result['parsed'] }).toEqual({
      status: 'succeeded',
      truncated: true,
      parsed: false,
    });
    expect(result['body']).toMatch(
      /^"?x{999,1000}\n\[output truncated: 1000 bytes kept, the rest of the body was not read\]$/,
    );
  });

  it('is truncated between characters', async () => {
    const { result } = await answered(withBody('aččč'), {}, 4);
    expect((result['body'] as string).split('\n')[0]).toBe('ač');
  });

  it('is complete when the body just fits', async () => {
    expect(await answered(withBody('four'), {}, 4)).toMatchObject({ truncated: false, result: { body: 'four' } });
  });

  it('keeps every byte of a binary body', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff]), randomBytes(200_000)]);
    const { result } = await answered(withBody(bytes, { 'Content-Type': 'application/octet-stream' }));
    expect(Buffer.from(result['body'] as string, 'base64').equals(bytes)).toBe(true);
  });
});

describe('an HTTP request without a response', () => {
  it.each([
    [
      'a connection that is refused',
      'http://u:secret@127.0.0.1:1/path?token=secret',
      /^The request to http:\/\/127\.0\.0\.1:1 failed: connection refused \(ECONNREFUSED\)$/,
    ],
    [
      'a host that does not exist',
      'http://no.such.host.invalid/',
      /^The request to http:\/\/no\.such\.host\.invalid failed: the name of the host/,
    ],
  ])('fails: %s', async (_name, url, error) => {
    expect(await request({ url })).toEqual({
      status: 'failed',
      result: { error: expect.stringMatching(error) as string },
    });
  });

  it.each([
    ['before', (_: unknown, response: Parameters<Handler>[1]) => response.destroy()],
    [
      'within',
      (_: unknown, response: Parameters<Handler>[1]) => {
        response.writeHead(200, { 'Content-Length': '1000' }).write('some');
        setImmediate(() => response.destroy());
      },
    ],
  ])('fails when the connection closes %s the response', async (_name, handler: Handler) => {
    expect(await answered(handler)).toEqual({
      status: 'failed',
      result: {
        error: expect.stringMatching(/^The request to http:\S+ failed: the connection was closed before/) as string,
      },
    });
  });

  it('fails for a body that does not match its encoding', async () => {
    expect(await answered(withBody('no gzip', { 'Content-Encoding': 'gzip' }))).toEqual({
      status: 'failed',
      result: { error: expect.stringMatching(/failed: incorrect header check/) as string },
    });
  });
});
