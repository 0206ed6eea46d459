import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError, ConnectionError, createClient, type ClientOptions, type ObservedRequest } from '../../src';
import { selfSigned } from '../support/self-signed';
import { startServer, type ScriptedServer } from '../support/scripted-server';

let server: ScriptedServer;
beforeEach(async () => (server = await startServer()));
afterEach(() => server.close());

const options = (more: Partial<ClientOptions> = {}, url = server.url): ClientOptions => ({
  apiUrl: `${url}/v1`,
  authUrl: url,
  streamUrl: `${url}/v1`,
  ...more,
});

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => Promise.reject(new Error('It should have failed.')),
    (error: unknown) => error as Error,
  );

test.each([
  [{ token: 't1' }, { 'x-auth-token': 't1' }],
  [{ apiKey: 'k1' }, { 'st2-api-key': 'k1' }],
  [{ token: 't1', apiKey: 'k1' }, { 'x-auth-token': 't1' }],
  [
    { basicAuth: { user: 'u', password: 'a:b' } },
    { authorization: `Basic ${Buffer.from('u:a:b').toString('base64')}` },
  ],
])('credentials %j are sent as %j, and never two of the service', async (credentials, headers) => {
  server.on('GET /v1/user', () => ({ body: { username: 'u' } }));
  await createClient(options(credentials)).user();
  expect(server.seen[0]?.headers).toMatchObject(headers);
  expect(
    Object.keys(server.seen[0]?.headers ?? {}).filter((name) => /x-auth-token|api-key/.test(name)).length,
  ).toBeLessThan(2);
});

test('an error response becomes an ApiError with its status and message, without secrets', async () => {
  server.on('GET /v1/apikeys/*', () => ({ status: 404, body: { faultstring: 'ApiKey sesame and t0ken not found.' } }));
  const error = await failure(createClient(options({ token: 't0ken' })).apiKeys.get('sesame'));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 404, faultstring: 'ApiKey ******** and ******** not found.' });
});

test.each([
  ['a page of a proxy', { status: 502, text: '<html>' }, 502, /Bad Gateway/],
  [
    'a redirection',
    { status: 302, headers: { location: 'http://user:pw@host/x?token=1' } },
    302,
    /to http:\/\/host\/x\./,
  ],
  ['no JSON at all', { text: '<html>' }, 200, /not JSON/],
])('%s becomes an error with this reason', async (_name, answer, status, text) => {
  server.on('GET /v1/user', () => answer);
  const error = await failure(createClient(options()).user());
  expect(error).toMatchObject({ status });
  expect(error.message).toMatch(text);
});

test('retries a GET whose connection breaks, but never a POST', async () => {
  let breaks = 2;
  server.on('GET /v1/user', (_request, response) =>
    breaks-- > 0 ? void response.destroy() : { body: { username: 'u' } },
  );
  server.on('POST /v1/executions', (_request, response) => void response.destroy());
  const client = createClient(options());
  await expect(client.user()).resolves.toEqual({ username: 'u' });
  expect(await failure(client.executions.create({ action: 'core.noop' }))).toBeInstanceOf(ConnectionError);
  expect(server.lines()).toEqual(['GET /v1/user', 'GET /v1/user', 'GET /v1/user', 'POST /v1/executions']);
});

test('gives up on a server that does not respond in time', async () => {
  server.on('GET /v1/user', () => undefined);
  const error = await failure(createClient(options({ timeoutMs: 50 })).user());
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toMatch(/no response within 0.05 s/);
});

test('omits credentials in an address from messages', async () => {
  const { url } = server;
  await server.close();
  const error = await failure(createClient(options({}, url.replace('//', '//me:secret@'))).user());
  expect(error.message).not.toContain('secret');
  server = await startServer();
});

describe('with a self-signed certificate', () => {
  let secure: ScriptedServer;
  const directory = mkdtempSync(join(tmpdir(), 'client-'));
  const caFile = join(directory, 'ca.pem');
  beforeAll(async () => {
    secure = await startServer(selfSigned);
    secure.on('GET /v1/user', () => ({ body: { username: 'u' } }));
    secure.on('GET /v1/stream', (_request, response) => void response.end('event: a\ndata: 1\n\n'));
    writeFileSync(caFile, selfSigned.cert);
  });
  afterAll(async () => {
    await secure.close();
    rmSync(directory, { recursive: true });
  });

  test('rejects the server by default', async () => {
    const error = await failure(createClient(options({}, secure.url)).user());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toMatch(/not trusted/);
  });

  test.each([[{ caFile }], [{ verifyTls: false }]])(
    '%j accepts the server, for requests and streams',
    async (trust) => {
      const client = createClient(options(trust, secure.url));
      await expect(client.user()).resolves.toEqual({ username: 'u' });
      for await (const event of client.events()) {
        expect(event).toEqual({ event: 'a', data: 1 });
        break;
      }
    },
  );
});

test('an observer sees requests and responses without secrets', async () => {
  const requests: ObservedRequest[] = [];
  const answers: unknown[] = [];
  server.on('POST /tokens', () => ({ status: 201, body: { token: 'fresh', user: 'u' } }));
  const observer = {
    request: (each: ObservedRequest) => requests.push(each),
    answer: (each: unknown) => answers.push(each),
  };
  const client = createClient(options({ observer }));
  await client.tokens.create({ user: 'u', password: 'sesame' }, { ttlSeconds: 5 });
  expect(requests[0]).toMatchObject({ method: 'POST', headers: { authorization: '********' }, body: { ttl: 5 } });
  expect(answers[0]).toMatchObject({ status: 201, body: { token: '********', user: 'u' } });
});
