import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { route, type Route, type RouteResponse } from '@switchyard/http';
import { listening, sampleApp } from '../sample-app';

const answering = (path: string, answer: () => RouteResponse): Route =>
  route({ method: 'GET', path, operation: path, summary: path, handle: answer });

const long = { text: 'a line that repeats itself '.repeat(1000) };

async function* batches(failAt = -1): AsyncGenerator<readonly unknown[]> {
  for (let index = 0; index < 30; index++) {
    if (index === failAt) throw new Error('the store is gone');
    yield [{ id: index, ...long }];
  }
}

const routes = [
  answering('/long', () => ({ status: 200, body: long })),
  answering('/short', () => ({ status: 200, body: { text: 'short' } })),
  answering('/text', () => ({ status: 200, text: long.text })),
  answering('/versioned', () => ({ status: 200, body: long, headers: { ETag: '"1"' } })),
  answering('/image', () => ({ status: 200, bytes: Buffer.alloc(20_000), headers: { 'Content-Type': 'image/png' } })),
  answering('/items', () => ({ status: 200, items: batches() })),
  answering('/broken', () => ({ status: 200, items: batches(20) })),
];

const GZIP = { 'accept-encoding': 'gzip, deflate' };
/** Stands for the login if there is no header with a token. */
const COOKIE = 'a=b; auth-token=good';

interface Answered extends Pick<IncomingMessage, 'headers' | 'complete'> {
  readonly body: Buffer;
}

const get = (port: number, path: string, headers: Record<string, string>, method = 'GET'): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const token: Record<string, string> = headers['cookie'] === COOKIE ? {} : { 'x-auth-token': 'good' };
    const sent = httpRequest({ port, path, method, headers: { ...token, ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', () => {});
      response.on('close', () => resolve({ ...response, headers: response.headers, body: Buffer.concat(parts) }));
    });
    sent.on('error', reject).end();
  });

describe('a response to a client that accepts gzip', () => {
  it.each([
    ['/long', {}],
    ['/text', {}],
    ['/long', { cookie: `${COOKIE}; more=1` }],
  ])('is compressed if it is long, also with a cookie besides the token: %s %j', async (path, more) => {
    await listening(sampleApp(routes).app, async (port) => {
      const { headers, body } = await get(port, path, { ...GZIP, ...more });
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(body.length) });
      expect(headers.vary).toBe('Origin, Accept-Encoding');
      expect(gunzipSync(body).toString()).toContain(long.text);
      expect(body.length).toBeLessThan(2000);
    });
  });

  it('is compressed while it is read, if it is a list', async () => {
    await listening(sampleApp(routes).app, async (port) => {
      const { headers, body } = await get(port, '/items', GZIP);
      expect(headers['content-encoding']).toBe('gzip');
      const items = JSON.parse(gunzipSync(body).toString()) as { id: number }[];
      expect(items.map(({ id }) => id)).toEqual([...Array(30).keys()]);
    });
  });

  it('is not complete if reading fails, and other requests continue', async () => {
    await listening(sampleApp(routes).app, async (port) => {
      expect((await get(port, '/broken', GZIP)).complete).toBe(false);
      expect(JSON.parse(gunzipSync((await get(port, '/items', GZIP)).body).toString())).toHaveLength(30);
    });
  });

  it.each([
    ['it is short', '/short', GZIP, 'GET'],
    ['it has a version', '/versioned', GZIP, 'GET'],
    ['it is no text', '/image', GZIP, 'GET'],
    ['the client does not accept gzip', '/long', { 'accept-encoding': 'br' }, 'GET'],
    ['the client refuses gzip', '/long', { 'accept-encoding': 'gzip;q=0, deflate' }, 'GET'],
    ['the client does not say', '/items', {}, 'GET'],
    ['a cookie stands for the login', '/long', { ...GZIP, cookie: COOKIE }, 'GET'],
    ['only its headers are asked for', '/items', GZIP, 'HEAD'],
  ])('is sent as it is if %s', async (_, path, headers, method) => {
    await listening(sampleApp(routes).app, async (port) => {
      const answer = await get(port, path, headers, method);
      expect(answer.headers).not.toHaveProperty('content-encoding');
      expect(answer.headers.vary).toBe('Origin');
      if (path === '/long') expect(JSON.parse(answer.body.toString())).toEqual(long);
    });
  });
});
