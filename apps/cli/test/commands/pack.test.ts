import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

const FAILURE =
  'The virtual environment of the pack "bad" cannot be set up: pip ended with code 1\nNo matching version';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET /v1/packs', () => ({ body: [{ ref: 'core' }, { ref: 'tools' }] }));
  server.on('POST /v1/packs/register', ({ body }) => {
    if (body.types?.length !== 0) return { body: { actions: 3 } };
    const [pack] = body.packs;
    if (pack === 'bad') return { status: 400, body: { faultstring: FAILURE } };
    return { body: { virtualenvs: pack === 'core' ? 0 : 1 } };
  });
});
afterEach(() => server.close());
const run = (...args: string[]) =>
  svc(args, { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN });
const registrations = () => server.seen.filter(({ method }) => method === 'POST').map(({ body }) => body);

test('sets up packs one by one, and continues after a failure', async () => {
  const { code, stdout, stderr } = await run('pack', 'setup', 'bad', 'tools', 'core', '-j');
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    [
      { pack: 'bad', virtualenv: 'failed' },
      { pack: 'tools', virtualenv: 'ready' },
      { pack: 'core', virtualenv: 'not needed' },
    ],
  ]);
  expect(stderr).toContain(`ERROR: ${FAILURE}\n`);
  expect(registrations()).toContainEqual({ packs: ['tools'], types: [], setup_virtualenvs: true });
});

test('registering prints each problem for which it is refused in a line of its own', async () => {
  const problems = ['Failed to register a.yaml: line 1.', 'Failed to register b.yaml: line 2.'];
  server.on('POST /v1/packs/register', () => ({ status: 400, body: { faultstring: problems.join('\n') } }));
  const { code, stdout, stderr } = await run('pack', 'register', 'tools', '--fail-on-failure');
  expect([code, stdout, stderr]).toEqual([2, '', problems.map((problem) => `ERROR: ${problem}\n`).join('')]);
});

const web = { id: '1', ref: 'web', name: 'Web', version: '1.0.0', author: 'Ada', email: 'ada@example.org', keywords: ['http', 'tls'], description: 'Pages.', files: ['pack.yaml'] }; // oxfmt-ignore

test('get shows what the pack says about itself, and all attributes on request', async () => {
  server.on('GET /v1/packs/*', () => ({ body: web }));
  const { stdout } = await run('pack', 'get', 'web');
  expect([...stdout.matchAll(/^\| (\w+) /gm)].map(([, name]) => name)).toEqual([
    ...['Property', 'name', 'version', 'author', 'email', 'keywords', 'description'],
  ]);
  // A list in a property table is JSON.
  expect(stdout.replace(/ +\|$/gm, '')).toContain('| keywords    | [\n|             |     "http",\n|             |     "tls"\n|             | ]\n'); // oxfmt-ignore
  expect(JSON.parse((await run('pack', 'get', 'web', '-a', 'all', '-j')).stdout)).toEqual(web);
  expect((await run('pack', 'install', 'web', '-d', '--attr', 'ref')).code).toBe(2);
});

test.each([
  [['-p', '.', 'core'], 'Specify refs of packs, or -p DIRECTORY, or --config-path FILE, not several of them.'],
  [['--config-path', 'a', '--schema-path', 'b', 'core'], 'Specify refs of packs, or -p DIRECTORY, or --config-path FILE, not several of them.'], // oxfmt-ignore
  [['--config-path', 'a'], '--config-path and --schema-path need each other.'],
  [['-p', '.', '--schema-path', 'b'], '--config-path and --schema-path need each other.'],
])('check refuses %j', async (words, message) => {
  const { code, stderr } = await run('pack', 'check', ...words);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('check says that there are no problems', async () => {
  server.on('POST /v1/packs/register', () => ({ body: { failures: [], warnings: [] } }));
  expect(await run('pack', 'check')).toEqual({ code: 0, stdout: 'No problems were found.\n', stderr: '' });
  expect((await run('pack', 'check', '-j')).stdout).toBe('[]\n');
});

test('rebuilds an environment with --recreate', async () => {
  expect(await run('pack', 'setup', 'tools', '--recreate')).toMatchObject({ code: 0 });
  expect(registrations()).toEqual([{ packs: ['tools'], types: [], recreate_virtualenvs: true }]);
});

test.each([
  [['tools'], ['--setup-virtualenvs'], { packs: ['tools'] }, 'setup_virtualenvs'],
  [['core', 'tools'], ['--recreate-virtualenvs'], {}, 'recreate_virtualenvs'],
])('registering sets up %j with %j', async (packs, options, registered, flag) => {
  const named = 'packs' in registered ? packs : [];
  const { code, stdout } = await run('pack', 'register', ...named, ...options, '-j');
  expect([code, JSON.parse(stdout)]).toEqual([0, { actions: 3, virtualenvs: 1 }]);
  const setUps = packs.map((pack) => ({ packs: [pack], types: [], [flag]: true }));
  expect(registrations()).toEqual([registered, ...setUps]);
});
