import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { get as getTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { hasProgram } from './deployment-files';
import { call, startFrontEnd, type FrontEnd } from './front-end';

const described = hasProgram('nginx', 'the tests of the front end are') ? describe : describe.skip;

interface Seen {
  readonly service: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Three mock services, which echo the request unless a test sets another response. */
async function standIns() {
  const handlers = new Map<string, Handle>();
  const servers: Server[] = [];
  const ports: Record<string, number> = {};
  for (const service of ['api', 'auth', 'stream']) {
    const server = createServer((incoming, response) => {
      const handle = handlers.get(service);
      if (handle) handle(incoming, response);
      else echo(service, incoming, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ports[service] = (server.address() as AddressInfo).port;
    servers.push(server);
  }
  return {
    handlers,
    ports: ports as { api: number; auth: number; stream: number },
    async stop() {
      for (const server of servers.filter(({ listening }) => listening)) {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
      }
    },
  };
}

function echo(service: string, { method, url, headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.end(JSON.stringify({ service, method, url, headers }));
}

described('the front end', () => {
  let services: Awaited<ReturnType<typeof standIns>>;
  let nginx: FrontEnd;

  beforeAll(async () => {
    services = await standIns();
    nginx = await startFrontEnd(services.ports);
  });
  afterEach(() => services.handlers.clear());
  afterAll(async () => {
    await nginx?.stop();
    await services?.stop();
  });

  const seen = async (path: string, options = {}): Promise<Seen> =>
    JSON.parse((await call(nginx.port, path, options)).text) as Seen;

  it.each([
    ['/api/v1/actions?limit=2&pack=core', 'api', '/v1/actions?limit=2&pack=core'],
    ['/api/', 'api', '/'],
    ['/api/v1/keys/a%2Fb%20c?x=%26', 'api', '/v1/keys/a%2Fb%20c?x=%26'],
    ['/api/v1/streams', 'api', '/v1/streams'],
    ['/auth/v1/tokens', 'auth', '/v1/tokens'],
    ['/stream/v1/stream?events=st2.execution__create', 'stream', '/v1/stream?events=st2.execution__create'],
    ['/stream/v1/executions/1/output', 'stream', '/v1/executions/1/output'],
    ['/api/stream', 'stream', '/v1/stream'],
    ['/api/stream?events=x', 'stream', '/v1/stream?events=x'],
    ['/api/v1/stream?events=x', 'stream', '/v1/stream?events=x'],
    ['/api/v2/stream', 'stream', '/v2/stream'],
  ])('passes %s to the service %s as %s', async (path, service, url) => {
    expect(await seen(path)).toMatchObject({ service, url });
  });

  it('forwards the address and credentials of clients to services', async () => {
    const { port } = nginx;
    const { headers } = await seen('/auth/v1/tokens', { headers: { authorization: 'Basic eA==' } });
    expect(headers).toMatchObject({
      host: `127.0.0.1:${port}`,
      'x-real-ip': '127.0.0.1',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      authorization: 'Basic eA==',
    });
  });

  it.each(['/api/v1/actions', '/auth/v1/tokens', '/stream/v1/stream'])(
    'drops X-Forwarded-User of clients on %s',
    async (path) => {
      const { headers } = await seen(path, { headers: { 'X-Forwarded-User': 'admin' } });
      expect(headers).not.toHaveProperty('x-forwarded-user');
    },
  );

  it.each(['PATCH', 'TRACE', 'PROPFIND'])('returns 405 for %s', async (method) => {
    const { status, text, headers } = await call(nginx.port, '/api/v1/actions', { method });
    expect(status).toBe(405);
    expect(headers.allow).toBe('GET, HEAD, POST, PUT, DELETE, OPTIONS');
    expect(JSON.parse(text)).toEqual({ faultstring: `The method ${method} is not allowed for this resource.` });
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('forwards %s', async (method) => {
    expect(await seen('/api/v1/actions', { method })).toMatchObject({ method });
  });

  it.each([404, 405, 413, 500, 502, 503])('forwards a %d of a service unchanged', async (status) => {
    services.handlers.set('api', (_, response) => response.writeHead(status).end('{"faultstring":"mine"}'));
    expect(await call(nginx.port, '/api/v1/x')).toMatchObject({ status, text: '{"faultstring":"mine"}' });
  });

  it('sends security headers once', async () => {
    const { headers } = await call(nginx.port, '/api/v1/actions');
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
    expect(headers).not.toHaveProperty('allow');
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  it('accepts bodies as large as the services do', async () => {
    services.handlers.set('api', (incoming, response) => {
      let length = 0;
      incoming.on('data', (chunk: Buffer) => (length += chunk.length));
      incoming.on('end', () => response.end(String(length)));
    });
    const body = 'x'.repeat(15 * 1024 * 1024);
    expect((await call(nginx.port, '/api/v1/actions', { method: 'POST', body })).text).toBe(String(body.length));
    const headers = { 'Content-Length': String(17 * 1024 * 1024), Expect: '100-continue' };
    const { status, text } = await call(nginx.port, '/api/v1/actions', { method: 'POST', headers });
    expect(status).toBe(413);
    expect(JSON.parse(text)).toEqual({ faultstring: 'The request body is larger than 16777216 bytes.' });
  });

  it('forwards each event as it arrives', async () => {
    let response: ServerResponse | undefined;
    services.handlers.set('stream', (_, opened) => {
      response = opened;
      opened.writeHead(200, { 'Content-Type': 'text/event-stream' });
      opened.write('data: 1\n\n');
    });
    const sent = request({ host: '127.0.0.1', port: nginx.port, path: '/stream/v1/stream', agent: false }).end();
    const [events] = (await once(sent, 'response')) as [IncomingMessage];
    expect(events.headers).not.toHaveProperty('transfer-encoding');
    for (const number of [1, 2, 3]) {
      const [chunk] = (await once(events, 'data')) as [Buffer];
      expect(chunk.toString()).toBe(`data: ${number}\n\n`);
      response?.write(`data: ${number + 1}\n\n`);
    }
    response?.end();
    await once(events.resume(), 'end');
  });

  it.each(['/', '/?theme=dark', '/assets/index-a1.js'])(
    'passes %s to the API, which serves the web console',
    async (url) => {
      expect(await seen(url)).toMatchObject({ service: 'api', url });
    },
  );

  it('answers its own health check, and returns 404 for other paths', async () => {
    expect((await call(nginx.port, '/healthz')).status).toBe(204);
    const { status, text } = await call(nginx.port, '/elsewhere');
    expect([status, JSON.parse(text)]).toEqual([404, { faultstring: 'The resource could not be found.' }]);
  });

  it('keeps credentials in a query out of its log', async () => {
    await call(nginx.port, '/api/v1/actions?x-auth-token=c0ffee');
    expect(nginx.log()).toContain('"GET /api/v1/actions" 200');
    expect(nginx.log()).not.toContain('c0ffee');
  });
});

described('the front end without services', () => {
  let nginx: FrontEnd;

  beforeAll(async () => {
    const services = await standIns();
    await services.stop();
    nginx = await startFrontEnd(services.ports);
  });
  afterAll(() => nginx?.stop());

  it.each(['api', 'auth'])('reports that %s is unavailable', async (service) => {
    const { status, headers, text } = await call(nginx.port, `/${service}/v1/x?st2-api-key=c0ffee`);
    expect([status, headers['content-type']]).toEqual([503, 'application/json']);
    expect(JSON.parse(text)).toEqual({
      faultstring: `Nginx is unable to reach ${service}. Make sure service is running.`,
    });
    expect(nginx.log()).not.toContain('c0ffee');
  });

  it.each(['/stream/v1/stream', '/api/v1/stream', '/api/stream'])('tells readers of %s to reconnect', async (path) => {
    const { status, headers, text } = await call(nginx.port, path);
    expect([status, headers['content-type'], text]).toEqual([200, 'text/event-stream', 'retry: 1000\n\n']);
  });
});

described('the front end with TLS', () => {
  let services: Awaited<ReturnType<typeof standIns>>;
  let nginx: FrontEnd;

  beforeAll(async () => {
    services = await standIns();
    nginx = await startFrontEnd(services.ports, 'https');
  });
  afterAll(async () => {
    await nginx?.stop();
    await services?.stop();
  });

  it('redirects requests without TLS', async () => {
    const { status, headers } = await call(nginx.port, '/api/v1/actions?limit=1');
    expect([status, headers.location]).toEqual([308, 'https://127.0.0.1/api/v1/actions?limit=1']);
    expect((await call(nginx.port, '/healthz')).status).toBe(204);
  });

  it('forwards requests and sends an HSTS header', async () => {
    const sent = getTls({
      host: '127.0.0.1',
      port: nginx.tlsPort,
      path: '/api/v1/a',
      rejectUnauthorized: false,
      agent: false,
    });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    expect(JSON.parse(text)).toMatchObject({ service: 'api', url: '/v1/a', headers: { 'x-forwarded-proto': 'https' } });
    expect(response.headers).toMatchObject({
      'strict-transport-security': 'max-age=3153600;includeSubDomains',
      'front-end-https': 'on',
      'x-frame-options': 'DENY',
    });
  });
});
