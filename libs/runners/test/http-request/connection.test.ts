import { request, startRequest } from './request-fixture';
import {
  makeCertificate,
  startProxy,
  startServer,
  startTlsServer,
  type Certificate,
  type Handler,
  type TestServer,
} from './http-servers';

const open: { close(): Promise<void> }[] = [];
const kept = async <S extends TestServer>(starting: Promise<S>): Promise<S> => {
  const server = await starting;
  open.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Ways in which a server keeps a request waiting. */
const slow: readonly [string, Handler][] = [
  ['sends nothing', () => undefined],
  ['sends half of a head', (_, response) => response.socket!.write('HTTP/1.1 200 OK\r\n')],
  [
    'sends half of a body',
    (_, response) => {
      response.writeHead(200, { 'Content-Length': '9' }).write('half');
    },
  ],
  [
    'sends half of a packed body',
    (_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).write(Buffer.from([0x1f, 0x8b]));
    },
  ],
];

describe('an HTTP request that is too slow', () => {
  it.each(slow)('times out when the server %s', async (_name, handler) => {
    const { url } = await kept(startServer(handler));
    expect(await request({ url, timeout: 0.2 })).toEqual({
      status: 'timeout',
      result: { error: 'Action failed to complete in 0.2 seconds' },
    });
  });

  it('has one time limit for all redirects', async () => {
    const server = await kept(
      startServer((received, response) => {
        if (received.url === '/') response.writeHead(302, { Location: '/next' }).write('a body without an end');
      }),
    );
    expect((await request({ url: server.url, timeout: 2, allow_redirects: true })).status).toBe('timeout');
    expect(server.received).toHaveLength(2);
  });
});

describe('an HTTP request that is canceled', () => {
  it.each(slow)('closes the connection to a server that %s', async (_name, handler) => {
    let gone: Promise<unknown> | undefined;
    let asked: () => void;
    const arrived = new Promise<void>((resolve) => (asked = resolve));
    const server = await kept(
      startServer((received, response) => {
        gone = new Promise((resolve) => response.socket!.on('error', () => undefined).once('close', resolve));
        handler(received, response);
        asked();
      }),
    );
    const { handle } = startRequest({ url: server.url });
    await arrived;
    handle.cancel();
    handle.cancel();
    expect(await handle.result).toEqual({ status: 'canceled', result: { error: 'The request was canceled.' } });
    await gone;
  });

  it('is never sent when canceled immediately', async () => {
    const server = await kept(startServer((_, response) => response.end()));
    const { handle } = startRequest({ url: server.url });
    handle.cancel();
    expect((await handle.result).status).toBe('canceled');
    expect(server.received).toEqual([]);
  });

  it('keeps its result when canceled afterwards', async () => {
    const server = await kept(startServer((_, response) => response.end('done')));
    const { handle } = startRequest({ url: server.url });
    expect((await handle.result).status).toBe('succeeded');
    handle.cancel();
    expect(await handle.result).toMatchObject({ status: 'succeeded', result: { body: 'done' } });
  });
});

describe('an encrypted HTTP request', () => {
  let certificate: Certificate;
  beforeAll(() => void (certificate = makeCertificate()));
  afterAll(() => certificate.remove());
  const tlsServer = () => kept(startTlsServer(certificate, (_, response) => response.end('secret words')));

  it('fails for an untrusted certificate', async () => {
    const { url } = await tlsServer();
    expect(await request({ url })).toEqual({
      status: 'failed',
      result: { error: expect.stringMatching(/^The request to https:\S+ failed: self-signed certificate/) as string },
    });
  });

  it.each([
    ['its certificate is not checked', { verify_ssl_cert: false }, {}],
    ['its authority is named by the environment', {}, { REQUESTS_CA_BUNDLE: 'FILE' }],
  ])('succeeds when %s', async (_name, parameters, variables) => {
    const { url } = await tlsServer();
    const environment = Object.fromEntries(Object.keys(variables).map((name) => [name, certificate.file]));
    const run = await request({ url, ...parameters }, { settings: { environment } });
    expect(run).toMatchObject({ status: 'succeeded', result: { body: 'secret words' } });
  });

  it('fails when the CA file cannot be read', async () => {
    const environment = { CURL_CA_BUNDLE: '/no/such/file' };
    expect((await request({ url: 'https://127.0.0.1:1/' }, { settings: { environment } })).result['error']).toMatch(
      /^Failed to read the certificates in "\/no\/such\/file": .*ENOENT/,
    );
  });

  it('uses a tunnel, with the credentials for the proxy', async () => {
    const [server, proxy] = [await tlsServer(), await kept(startProxy())];
    const https_proxy = proxy.url.replace('//', '//me:pass%20word@');
    const run = await request({ url: `${server.url}/path`, https_proxy, verify_ssl_cert: false });
    expect(run).toMatchObject({ status: 'succeeded', result: { body: 'secret words' } });
    expect(proxy.received).toMatchObject([
      {
        method: 'CONNECT',
        url: `127.0.0.1:${server.port}`,
        headers: { 'proxy-authorization': `Basic ${Buffer.from('me:pass word').toString('base64')}` },
      },
    ]);
    expect(server.received[0]!.headers['proxy-authorization']).toBeUndefined();
  });

  it('fails when the proxy refuses', async () => {
    const proxy = await kept(startServer(() => undefined));
    const run = await request({ url: 'https://127.0.0.1:1/', https_proxy: proxy.url.replace('//', '//me:secret@') });
    expect(run.status).toBe('failed');
    expect(JSON.stringify(run)).not.toContain('secret');
  });
});

describe('a plain HTTP request through a proxy', () => {
  it('sends the full URL to the proxy', async () => {
    const proxy = await kept(startProxy());
    const http_proxy = proxy.url.replace('//', '//me:pw@');
    const run = await request({ url: 'http://some.host.invalid:81/path?q=1', http_proxy, headers: { 'X-Mine': '1' } });
    expect(run).toMatchObject({ status: 'succeeded', result: { body: 'from the proxy' } });
    expect(proxy.received).toMatchObject([
      {
        method: 'GET',
        url: 'http://some.host.invalid:81/path?q=1',
        headers: {
          host: 'some.host.invalid:81',
          'x-mine': '1',
          'proxy-authorization': `Basic ${Buffer.from('me:pw').toString('base64')}`,
        },
      },
    ]);
  });

  it.each([
    ['http_proxy of the environment', { http_proxy: 'PROXY' }, {}, true],
    ['HTTP_PROXY of the environment', { HTTP_PROXY: 'PROXY' }, {}, true],
    ['all_proxy of the environment', { ALL_PROXY: 'PROXY' }, {}, true],
    ['the one for https', { https_proxy: 'PROXY' }, {}, false],
    ['none for this host', { http_proxy: 'PROXY', NO_PROXY: 'x, 127.0.0.1' }, {}, false],
    ['none for this host and port', { http_proxy: 'PROXY', no_proxy: '127.0.0.1:PORT' }, {}, false],
    ['none for any host', { http_proxy: 'PROXY', no_proxy: '*' }, {}, false],
    ['none for other hosts', { http_proxy: 'PROXY', no_proxy: '127.0.0.2,0.0.1:1' }, {}, true],
    ['the one that it names, also for this host', { no_proxy: '*' }, { http_proxy: 'PROXY' }, true],
    [
      'the one that it names before that of the environment',
      { http_proxy: 'http://127.0.0.1:1' },
      { http_proxy: 'PROXY' },
      true,
    ],
  ])('uses %s', async (_name, variables, parameters, isUsed) => {
    const [server, proxy] = [
      await kept(startServer((_, response) => response.end('direct'))),
      await kept(startProxy()),
    ];
    const filled = (values: object) =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          String(value).replace('PROXY', `127.0.0.1:${proxy.port}`).replace('PORT', String(server.port)),
        ]),
      );
    const run = await request(
      { url: server.url, ...filled(parameters) },
      { settings: { environment: filled(variables) } },
    );
    expect(run).toMatchObject({ status: 'succeeded', result: { body: isUsed ? 'from the proxy' : 'direct' } });
  });
});
