import { actionEnvironment } from '@switchyard/runners';
import { startServer, type TestServer } from '../http-request/http-servers';
import { nodePack } from './node-fixture';

const pack = nodePack();
let api: TestServer;
const items = new Map<string, string>();
beforeAll(async () => {
  api = await startServer(({ method, url, body }, response) => {
    const { pathname } = new URL(url, 'http://x');
    const name = decodeURIComponent(pathname.replace(/^\/v1\/keys\/?/, ''));
    const found = items.get(name);
    const answer = (status: number, value?: unknown) =>
      response.writeHead(status).end(value === undefined ? '' : JSON.stringify(value));
    if (pathname === '/v1/user') return answer(200, { username: 'me' });
    if (name.includes('forbidden')) return answer(403, { faultstring: 'Not yours.' });
    if (name === '')
      return answer(
        200,
        [...items].map(([each, value]) => ({ name: each, value, scope: 's' })),
      );
    if (method === 'PUT') {
      items.set(name, (JSON.parse(body.toString()) as { value: string }).value);
      return answer(200, {});
    }
    if (found === undefined) return answer(404, { faultstring: 'no such key' });
    if (method === 'GET') return answer(200, { name, value: found });
    items.delete(name);
    return answer(204);
  });
});
afterAll(async () => {
  await api.close();
  pack.remove();
});
beforeEach(() => {
  items.clear();
  api.received.length = 0;
});

const run = (body: string) => {
  const env = actionEnvironment({ pack: 'default', executionId: 'x', apiUrl: `${api.url}/v1`, authToken: 'my-token' });
  return pack.run(pack.action(body), { environment: env });
};

describe('the datastore client of a JavaScript action', () => {
  it.each([
    ['sets and gets', 'await service.setValue("k", 5); return service.getValue("k")', '5'],
    [
      'has its own names',
      'await service.setValue("k", "v"); return service.listValues()',
      [{ name: 'default.act:k', value: 'v' }],
    ],
    [
      'reaches other names',
      'await service.setValue("a/b", "v", { local: false }); return service.listValues()',
      [{ name: 'a/b', value: 'v' }],
    ],
    ['handles a missing item', 'return service.getValue("k")', null],
    [
      'deletes',
      'await service.setValue("k", "v"); return [await service.deleteValue("k"), await service.deleteValue("k")]',
      [true, false],
    ],
    ['returns the user with whose permissions it runs', 'return service.getUserInfo()', { username: 'me' }],
  ])('%s', async (_name, body, result) => {
    expect(await run(body)).toMatchObject({ status: 'succeeded', result: { result } });
  });

  it('sends the token of the execution', async () => {
    await run(
      'await service.getValue("k", { decrypt: true }); await service.setValue("k", "v", { encrypt: true, ttlSeconds: 60 })',
    );
    expect(api.received.map(({ method, url, headers }) => [method, url, headers['x-auth-token']])).toEqual([
      ['GET', '/v1/keys/default.act%3Ak?scope=system&decrypt=true', 'my-token'],
      ['PUT', '/v1/keys/default.act%3Ak', 'my-token'],
    ]);
    expect(JSON.parse(api.received[1]!.body.toString())).toEqual({
      name: 'default.act:k',
      value: 'v',
      scope: 'system',
      secret: true,
      ttl: 60,
    });
  });

  it('requests the list in pages', async () => {
    await run('await service.listValues({ prefix: "p", limit: 2, offset: 4 })');
    expect(api.received[0]!.url).toBe('/v1/keys?scope=system&prefix=default.act%3Ap&limit=2&offset=4');
  });

  it('rejects with the error message of the API', async () => {
    expect(await run('return service.getValue("forbidden").catch((error) => error.message)')).toMatchObject({
      result: { result: 'Not yours.' },
    });
  });
});
