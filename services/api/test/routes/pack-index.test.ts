import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

const web = { name: 'web', version: '1.0.0', keywords: ['http'] };
const INDEXES: Record<string, string> = {
  '/first.json': JSON.stringify({ packs: { web, mail: { name: 'mail', description: 'Not HTTP.' } } }),
  '/second.json': JSON.stringify({ packs: { web: { name: 'web', version: '9.0.0' } } }),
  '/empty.json': '{}',
};

let indexes: Server;
let address: string;
let api: ApiFixture;
let without: ApiFixture;

beforeAll(async () => {
  indexes = createServer(({ url = '' }, response) => {
    response.writeHead(INDEXES[url] === undefined ? 503 : 200).end(INDEXES[url]);
  });
  await new Promise<void>((resolve) => indexes.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(indexes.address() as AddressInfo).port}`;
  const index_url = ['first', 'missing', 'empty', 'second'].map((name) => `${address}/${name}.json`);
  api = await apiFixture({ overrides: { content: { index_url } } });
  without = await apiFixture({ overrides: { content: { index_url: [`${address}/missing.json`] } } });
});
afterAll(async () => {
  indexes.close();
  await api.close();
  await without.close();
});

const statuses = () => [
  { url: `${address}/first.json`, packs: 2, message: 'Success.', error: null },
  { url: `${address}/missing.json`, packs: 0, message: expect.stringContaining('503'), error: 'unresponsive' },
  { url: `${address}/empty.json`, packs: 0, message: expect.any(String), error: 'empty' },
  { url: `${address}/second.json`, packs: 1, message: 'Success.', error: null },
];

describe('The index of packs', () => {
  it('combines the indexes of all addresses', async () => {
    const { body } = await api.ada.get('packs/index').expect(200);
    expect(body).toEqual({ status: statuses(), index: { web, mail: expect.anything() } });
  });

  it('reports the state of each index', async () => {
    const { body } = await api.ada.get('packs/index/health').expect(200);
    const indexes = { count: 4, valid: 2, invalid: 2, errors: { unresponsive: 1, empty: 1 }, status: statuses() };
    expect(body).toEqual({ indexes, packs: { count: 2 } });
  });

  it.each([
    [{ query: 'HTTP' }, [web, { name: 'mail', description: 'Not HTTP.' }]],
    [{ query: 'nothing like it' }, []],
    [{ query: 'not', pack: 'web' }, [{ name: 'mail', description: 'Not HTTP.' }]],
    [{ pack: 'web' }, web],
    [{ pack: 'WEB' }, []],
  ])('is searched by %j', async (asked, found) => {
    expect((await api.ada.post('packs/index/search', asked).expect(200)).body).toEqual(found);
  });

  it.each([
    [{}, 'Query must be specified.'],
    [{ query: ' ' }, 'Query must be specified.'],
    [{ pack: '' }, 'Pack name must be specified.'],
    [{ query: 5 }, "5 is not of type 'string'"],
    [[1], "'********' of type 'array' is not of type 'object'"],
  ])('is not searched by %j', async (asked, text) => {
    expect((await api.ada.post('packs/index/search', asked).expect(400)).body.faultstring).toBe(text);
  });

  it('reports an index that cannot be read', async () => {
    const text = `No results from the index: tried ${address}/missing.json. Status: `;
    for (const answer of [
      await without.ada.get('packs/index').expect(400),
      await without.ada.post('packs/index/search', { query: 'web' }).expect(400),
      await without.ada.post('packs/index/search', { pack: 'web' }).expect(400),
    ])
      expect(answer.body.faultstring).toContain(text);
    const { body } = await without.ada.get('packs/index/health').expect(200);
    expect(body).toMatchObject({ indexes: { count: 1, valid: 0, errors: { unresponsive: 1 } }, packs: { count: 0 } });
  });
});

describe('Packs', () => {
  it.each([
    ['install', { packs: ['web=1.0.0'] }, { packs: ['web=1.0.0'], force: false, skip_dependencies: false }],
    ['install', { packs: ['a/b'], force: true, skip_dependencies: true }, undefined],
    ['uninstall', { packs: ['web'] }, undefined],
  ])('%sing %j starts an execution', async (verb, body, parameters) => {
    const { body: answer } = await api.ada.post(`packs/${verb}`, body).expect(202);
    const { body: execution } = await api.ada.get(`executions/${answer.execution_id}`).expect(200);
    expect(execution).toMatchObject({
      action: { ref: `packs.${verb}` },
      parameters: parameters ?? body,
      context: { user: 'ada', pack: 'packs' },
    });
  });

  it.each([
    ['install', {}, "'packs' is a required property"],
    ['uninstall', {}, "'packs' is a required property"],
    ['install', [], "[] is not of type 'object'"],
    ['install', { packs: 'x' }, "'********' of type 'string' is not of type 'array'"],
    ['uninstall', { packs: [5] }, "5 is not of type 'string'"],
    ['install', { packs: ['x'], force: 'yes' }, "'yes' is not of type 'boolean'"],
  ])('%sing %j is refused', async (verb, body, text) => {
    expect((await api.ada.post(`packs/${verb}`, body).expect(400)).body.faultstring).toBe(text);
  });
});
