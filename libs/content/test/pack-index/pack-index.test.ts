import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createPackIndex, searchIndex, type IndexEntry, type ProxyVariables } from '../../src';

const web = { name: 'web', version: '1.0.0', keywords: ['http', 'html'], email: 'http@x.invalid' };
const proxy = { name: 'http_proxy', version: '0.1.0', description: 'Between others.' };
const mail = { name: 'mail', description: 'Letters, not HTTP.', content: { actions: { count: 3 } } };
const archive = {
  name: 'archive',
  downloads: 4250,
  keywords: ['old'],
  repo_url: 'http://x.invalid/http',
  email: 'http@x.invalid',
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json =
  (value: unknown): Answer =>
  (_, response) =>
    void response.end(typeof value === 'string' ? value : JSON.stringify(value));

const ANSWERS: Record<string, Answer> = {
  '/first': json({ packs: { mail, web, http_proxy: proxy, archive, broken: 'text' } }),
  '/second': json({ packs: { web: { ...web, version: '9.0.0' }, late: { name: 'late' } } }),
  '/packed': (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('{"packs": {"a": {}}}')),
  '/strange': json('{"packs": {"__proto__": {"name": "x"}, "constructor": {"name": "y"}}}'),
  '/moved': (_, response) => response.writeHead(302, { location: '/second' }).end(),
  '/for-ada': ({ headers }, response) =>
    response.writeHead(headers.authorization === `Basic ${btoa('ada:s3/cret')}` ? 200 : 401).end('{"packs": {}}'),
  '/no-json': json('not JSON'),
  '/list': json('[]'),
  '/bare': json({ packages: {} }),
  '/empty': json({}),
  '/large': json(JSON.stringify({ packs: {}, filler: 'x'.repeat(3000) })),
  '/silent': () => undefined,
  '/torn': (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{');
    setImmediate(() => response.destroy());
  },
};

let server: Server;
let through: Server;
let base: string;
let asked: string[] = [];
let proxied: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    (ANSWERS[request.url ?? ''] ?? ((_, missing) => missing.writeHead(404).end()))(request, response);
  });
  // A proxy for plain requests, which have the whole URL in the request line.
  through = createServer((request, response) => {
    proxied.push(request.url ?? '');
    const path = new URL(request.url ?? '').pathname;
    ask(`${base}${path}`, (answer) => void answer.pipe(response)).end();
  });
  base = await listening(server);
});
afterAll(() => [server, through].forEach((each) => (each.closeAllConnections(), each.close())));
beforeEach(() => ((asked = []), (proxied = [])));

const listening = async (each: Server): Promise<string> => {
  await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(each.address() as AddressInfo).port}`;
};

function indexOf(paths: readonly string[], proxies: ProxyVariables = {}, timeoutMs = 60_000) {
  let nowMs = 0;
  const index = createPackIndex({
    addresses: paths.map((path) => (path.includes(':') ? path : base + path)),
    clock: { monotonicMs: () => nowMs },
    logger: { warn: () => undefined },
    proxies: async () => proxies,
    timeoutMs,
    maxBytes: 2000,
  });
  return { ...index, pass: (ms: number) => (nowMs += ms) };
}

describe('pack indexes', () => {
  it('are merged; for duplicate packs, the first index wins', async () => {
    const { status, packs } = await indexOf(['/first', '/second']).read();
    expect([...packs.keys()]).toEqual(['mail', 'web', 'http_proxy', 'archive', 'late']);
    expect(packs.get('web')).toEqual(web);
    expect(status).toEqual([
      { url: `${base}/first`, packs: 4, message: 'Success.', error: null },
      { url: `${base}/second`, packs: 2, message: 'Success.', error: null },
    ]);
  });

  it.each([
    ['/moved', ['web', 'late']],
    ['/packed', ['a']],
    ['/strange', ['__proto__', 'constructor']],
  ])('%s is read', async (path, names) => {
    expect([...(await indexOf([path]).read()).packs.keys()]).toEqual(names);
  });

  it('are requested with the credentials of their URL, which are not shown', async () => {
    const { status } = await indexOf([base.replace('://', '://ada:s3%2Fcret@') + '/for-ada']).read();
    expect(status).toEqual([{ url: expect.not.stringContaining('cret'), packs: 0, message: 'Success.', error: null }]);
  });

  it.each([
    ['/no-json', 'malformed', 'it is not JSON'],
    ['/list', 'malformed', 'it is not a JSON object'],
    ['/bare', 'malformed', 'it has no "packs" object'],
    ['/empty', 'empty', 'it is an empty object'],
    ['/missing', 'unresponsive', 'it responded with status 404'],
    ['/torn', 'unresponsive', ''],
    ['http://127.0.0.1:1/', 'unresponsive', 'bad port'],
    ['http://[::1', 'other errors', 'not an HTTP URL'],
    ['ftp://127.0.0.1/', 'other errors', 'not an HTTP URL'],
    ['/large', 'other errors', 'larger than 2000 bytes'],
  ])('%s is left out as %s', async (path, error, message) => {
    const failing = { url: expect.any(String), packs: 0, message: expect.stringContaining(message), error };
    const { status, packs } = await indexOf([path, '/second']).read();
    expect([status[0], packs.size]).toEqual([failing, 2]);
    expect((await indexOf([path]).examine()).status).toEqual([failing]);
    await expect(indexOf([path]).read()).rejects.toMatchObject({
      code: 'pack-index.unusable',
      message: expect.stringMatching(new RegExp(`^No results from the index: tried .+\\. Status: .+ ${error} `)),
    });
  });

  it('are unresponsive when they time out', async () => {
    const { status } = await indexOf(['/silent'], {}, 50).examine();
    expect(status).toMatchObject([{ error: 'unresponsive', message: expect.stringMatching(/timeout/i) }]);
  });

  it('must be configured', async () => {
    await expect(indexOf([]).read()).rejects.toMatchObject({ code: 'pack-index.none' });
    expect(await indexOf([]).examine()).toEqual({ status: [], packs: new Map() });
  });

  it('are cached for a minute, except for failed ones', async () => {
    const { read, examine, pass } = indexOf(['/second', '/missing']);
    await Promise.all([read(), read()]);
    expect(asked.sort()).toEqual(['/missing', '/second']);
    await read();
    expect(asked.splice(0)).toEqual(['/missing', '/second', '/missing']);
    await examine();
    expect(asked.splice(0).sort()).toEqual(['/missing', '/second']);
    pass(60_000);
    await read();
    expect(asked.sort()).toEqual(['/missing', '/second']);
  });

  it('are read through proxies, except for excluded hosts', async () => {
    const http_proxy = await listening(through);
    expect((await indexOf(['http://index.invalid/second'], { http_proxy }).read()).packs.size).toBe(2);
    expect(proxied).toEqual(['http://index.invalid/second']);
    await indexOf(['/second'], { http_proxy, no_proxy: 'localhost, 127.0.0.1' }).read();
    expect(proxied).toHaveLength(1);
  });

  it('are trusted if their certificates are configured', async () => {
    const { status } = await indexOf(['/second'], { proxy_ca_bundle_path: '/nowhere/bundle.pem' }).examine();
    expect(status).toMatchObject([{ error: 'other errors', message: expect.stringContaining('/nowhere/bundle.pem') }]);
  });
});

describe('searchIndex', () => {
  const packs = new Map<string, IndexEntry>(Object.entries({ mail, web, http_proxy: proxy, archive }));

  it.each([
    ['HTTP', ['http_proxy', 'web', 'mail']],
    [' letters ', ['mail']],
    ['htm', []],
    ['actions', ['mail']],
    ['1.0.0', ['web']],
    ['x.invalid', []],
    ['425', ['archive']],
  ])('for "%s" finds %j', (query, names) => {
    expect(searchIndex(packs, query).map(({ name }) => name)).toEqual(names);
  });
});
