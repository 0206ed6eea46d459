import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { targetAtUrl } from './target-at-url';

let server: Server;
let address: string;
let requests: Pick<IncomingMessage, 'url' | 'headers'>[];

beforeEach(async () => {
  requests = [];
  server = createServer(({ url, headers }, response) => {
    requests.push({ url, headers });
    response.writeHead(url?.endsWith('/tokens') ? 201 : 200).end('{"token":"issued"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

async function callOnce(url: string, credentials: Parameters<typeof targetAtUrl>[1]) {
  const target = targetAtUrl(url, credentials);
  const api = await target.login();
  await api.call('GET', '/v1/actions');
  api.close();
  return requests.map(({ url: path, headers }) => [
    path,
    headers['x-auth-token'] ?? headers['st2-api-key'] ?? headers.authorization,
  ]);
}

const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
const user = { SVC_BENCH_USER: 'me', SVC_BENCH_PASSWORD: 'secret' };

describe('a system at an address', () => {
  it('is called with a token', async () => {
    expect(await callOnce(`${address}/`, { SVC_BENCH_TOKEN: 'given' })).toEqual([['/v1/actions', 'given']]);
  });

  it('is called with an API key', async () => {
    expect(await callOnce(`${address}/api`, { SVC_BENCH_API_KEY: 'key' })).toEqual([['/api/v1/actions', 'key']]);
  });

  it('issues a token at the address next to its API', async () => {
    expect(await callOnce(`${address}/api`, user)).toEqual([
      ['/auth/tokens', basic],
      ['/api/v1/actions', 'issued'],
    ]);
  });

  it('issues a token at a given address', async () => {
    const [first] = await callOnce(address, { ...user, SVC_BENCH_AUTH_URL: `${address}/other` });
    expect(first).toEqual(['/other/tokens', basic]);
  });

  it('is refused without a credential, or without the address that issues tokens', () => {
    expect(() => targetAtUrl(address, {})).toThrow('expected a credential in SVC_BENCH_TOKEN');
    expect(() => targetAtUrl(address, user)).toThrow('SVC_BENCH_AUTH_URL');
  });
});
