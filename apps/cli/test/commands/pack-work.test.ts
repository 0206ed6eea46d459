import { frame, startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

const ID = '65f0c0ffee00000000000001';

const web = { ref: 'web', name: 'web', description: 'Pages.', version: '1.0.0', author: 'Ada', files: ['pack.yaml'] };
const mail = { ref: 'mail', name: 'mail', description: 'Letters.', version: '2.0.0', author: 'Bob' };
const indexed = { ...web, content: { actions: { count: 3 }, rules: { count: 0 } } };

let server: ScriptedServer;
let registered: string[];
let execution: Record<string, unknown>;

beforeEach(async () => {
  server = await startServer();
  registered = ['web', 'mail'];
  execution = ended('succeeded', { packs_list: ['web'], warning_list: ['It is old.'] });
  const known = () => [web, mail].filter(({ ref }) => registered.includes(ref));
  const missing = { status: 404, body: { faultstring: 'Resource not found' } };
  server.on('GET /v1/packs', () => ({ body: known() }));
  server.on('GET /v1/packs/*', ({ path }) => {
    const pack = known().find(({ ref }) => path.endsWith(`/${ref}`));
    return pack ? { body: pack } : missing;
  });
  server.on('POST /v1/packs/index/search', ({ body: { query, pack } }) => {
    if (pack === 'broken') return { status: 400, body: { faultstring: 'No results from the index' } };
    if (query !== undefined) return { body: query === 'web pages' ? [indexed] : [] };
    return { body: pack === 'web' ? indexed : [] };
  });
  server.on('POST /v1/packs/install', () => ({ status: 202, body: { execution_id: ID } }));
  server.on('POST /v1/packs/uninstall', () => ({ status: 202, body: { execution_id: ID } }));
  server.on('GET /v1/executions', () => ({ body: [], headers: { 'x-total-count': '0' } }));
  server.on('GET /v1/executions/*', () => ({ body: execution }));
  server.on('GET /v1/stream', (_request, response) => void response.write('\n'));
});
afterEach(() => server.close());

const ended = (status: string, output: unknown) => ({
  id: ID,
  action: { ref: 'packs.install', runner_type: 'orquesta' },
  context: { user: 'me' },
  status,
  start_timestamp: '2026-01-02T03:04:05.000000Z',
  end_timestamp: '2026-01-02T03:04:08.000000Z',
  log: [],
  result: { output },
});

const run = (...args: string[]) =>
  svc(['pack', ...args], {
    HOME: '/nowhere',
    SVC_API_URL: `${server.url}/v1`,
    SVC_STREAM_URL: `${server.url}/v1`,
    SVC_AUTH_TOKEN: TOKEN,
  });
const sent = (path: string) => server.seen.filter((each) => each.path === path).map(({ body }) => body);

test('search finds packs in the index', async () => {
  const found = await run('search', 'web', 'pages', '-j');
  expect([found.code, JSON.parse(found.stdout)]).toEqual([
    0,
    [{ name: 'web', description: 'Pages.', version: '1.0.0', author: 'Ada' }],
  ]);
  expect((await run('search', 'nothing')).stdout).toBe('No matching items found\n');
});

test('show prints the entry of a pack in the index, and fails for an unknown pack', async () => {
  const shown = await run('show', 'web', '-j', '--attr', 'version', 'content.actions.count');
  expect(JSON.parse(shown.stdout)).toEqual({ version: '1.0.0', content: { actions: { count: 3 } } });
  expect(await run('show', 'nothing')).toMatchObject({
    code: 1,
    stderr: 'ERROR: Pack "nothing" is not found in the index.\n',
  });
});

test('install announces the content, and shows the installed packs', async () => {
  const { code, stdout, stderr } = await run('install', 'web=1.0.0', 'broken', 'file:///srv/web', '--force');
  expect([code, stderr]).toEqual([
    0,
    'For the "web" pack, the following content will be registered:\n  actions   3\nWARNING: It is old.\n',
  ]);
  expect(stdout).toMatch(/\| version +\| 1\.0\.0/);
  const packs = ['web=1.0.0', 'broken', 'file:///srv/web'];
  expect(sent('/v1/packs/install')).toEqual([{ packs, force: true, skip_dependencies: false }]);
});

test('install shows several packs as a list, with their dependencies', async () => {
  execution = ended('succeeded', { packs_list: ['web', 'mail'] });
  const { code, stdout } = await run('install', 'web', '--skip-dependencies', '-j', '--attr', 'ref');
  expect([code, JSON.parse(stdout)]).toEqual([0, [{ ref: 'web' }, { ref: 'mail' }]]);
  expect(sent('/v1/packs/install')).toEqual([{ packs: ['web'], force: false, skip_dependencies: true }]);
  expect(sent('/v1/packs/index/search')).toEqual([]);
});

test.each([
  ['install', 'failed', 1],
  ['remove', 'failed', 1],
  ['install', 'timeout', 4],
])('a %s that ends as %s shows why', async (verb, status, exitCode) => {
  execution = ended(status, { message: 'The packs could not be downloaded.' });
  const { code, stdout, stderr } = await run(verb, 'web');
  const reason = 'The packs could not be downloaded.';
  expect([code, stdout, stderr]).toEqual([
    exitCode,
    expect.stringContaining(reason),
    expect.stringMatching(new RegExp(`ERROR: ${reason}\n$`)),
  ]);
});

test('install --tail shows the output of each task', async () => {
  const task = {
    ...ended('succeeded', {}),
    id: '65f0c0ffee00000000000002',
    action: { ref: 'packs.setup_virtualenv', runner_type: 'python-script' },
    parent: ID,
    context: { orquesta: { task_name: 'install_pack_requirements' } },
  };
  server.on('GET /v1/executions', () => ({ body: [task], headers: { 'x-total-count': '1' } }));
  server.on('GET /v1/executions/*/output', ({ path }, response) => {
    const chunk = { id: '1', execution_id: task.id, output_type: 'stderr', timestamp: 'T', data: 'web: step 1 of 3\n' };
    response.end(
      path.includes(task.id) ? `${frame('st2.execution.output__create', chunk)}event: EOF\ndata: ''\n\n` : '',
    );
  });
  const { code, stdout } = await run('install', 'web', '--tail');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\[install_pack_requirements\] web: step 1 of 3$/m)]);
});

test('remove shows the removed packs', async () => {
  server.on('POST /v1/packs/uninstall', () => {
    registered = ['mail'];
    return { status: 202, body: { execution_id: ID } };
  });
  const { code, stdout } = await run('remove', 'web', '-j', '--detail');
  expect([code, JSON.parse(stdout)]).toEqual([0, web]);
  expect(sent('/v1/packs/uninstall')).toEqual([{ packs: ['web'] }]);
});

test('remove fails if a pack is still registered', async () => {
  expect(await run('remove', 'web')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Pack "web" was not removed completely'),
  });
});

test('a refusal by the server has the exit code of a failed operation', async () => {
  server.on('POST /v1/packs/install', () => ({ status: 403, body: { faultstring: 'No permission.' } }));
  expect(await run('install', 'web', '-j')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No permission.'),
  });
});
