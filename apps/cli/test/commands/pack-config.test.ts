import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

let server: ScriptedServer;
let values: Record<string, unknown> | undefined;
const attributes = {
  region: { type: 'string', enum: ['north', 'south'], default: 'north' },
  token: { type: 'string', secret: true, required: true },
  port: { type: 'integer' },
  mirror: { type: 'object', properties: { host: { type: 'string' }, tls: { type: 'boolean' } } },
  labels: { type: 'array', items: { type: 'string' } },
  users: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
};
const NOTHING = 'Unable to identify resource with pack_ref "web".';
const missing = { status: 404, body: { faultstring: NOTHING } };

beforeEach(async () => {
  values = undefined;
  server = await startServer();
  server.on('GET /v1/config_schemas/*', ({ path }) =>
    path.endsWith('/web') ? { body: { id: '1', pack: 'web', attributes } } : missing,
  );
  server.on('GET /v1/configs/*', () => (values ? { body: { id: '2', pack: 'web', values } } : missing));
  server.on('PUT /v1/configs/*', ({ body }) =>
    body.port === 0
      ? { status: 400, body: { faultstring: 'Failed validating attribute "port"' } }
      : { body: { id: '2', pack: 'web', values: body } },
  );
});
afterEach(() => server.close());

const run = (lines: readonly string[], ...args: string[]) =>
  svc(
    ['pack', 'config', ...args],
    { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN },
    lines.map((line) => `${line}\n`).join(''),
  );
const saved = () => server.seen.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body]);

test('config asks question by question', async () => {
  const { code, stdout } = await run(['1', 'hush', '80', 'far', 'y', 'a, b', 'y', 'ada', ''], 'web');
  expect([code, stdout]).toEqual([0, 'Saved the configuration of the pack "web".\n']);
  const mirror = { host: 'far', tls: true };
  const given = { region: 'south', token: 'hush', port: 80, mirror, labels: ['a', 'b'], users: [{ name: 'ada' }] };
  expect(saved()).toEqual([['/v1/configs/web', given]]);
});

test('config uses the default for an empty answer, or leaves the value out', async () => {
  const { code, stdout } = await run(['', 'hush', '', '', '', '', ''], 'web', '-j');
  const given = { region: 'north', token: 'hush' };
  expect([code, JSON.parse(stdout)]).toEqual([0, { id: '2', pack: 'web', values: given }]);
  expect(saved()).toEqual([['/v1/configs/web', given]]);
});

test('config keeps current values unless they get a new answer', async () => {
  values = {
    region: 'south',
    token: '********',
    port: 80,
    mirror: { host: 'far', other: 1 },
    labels: ['a'],
    users: [{ name: 'ada' }],
    unknown: 'x',
  };
  const { code } = await run(['', '', '443', '', 'yes', '', ''], 'web');
  expect(code).toBe(0);
  expect(saved()).toEqual([
    ['/v1/configs/web', { ...values, port: 443, mirror: { host: 'far', other: 1, tls: true } }],
  ]);
});

test.each([
  ['the pack has no schema', 'other', [], 1, NOTHING],
  ['the answers end too early', 'web', ['1', 'hush'], 1, 'The input ended before every question was answered.'],
  ['the server refuses it', 'web', ['', 'hush', '0', '', '', '', ''], 2, 'Failed validating attribute "port"'],
])('config saves nothing when %s', async (_, pack, lines, exitCode, message) => {
  const { code, stderr } = await run(lines, pack);
  expect([code, stderr]).toEqual([exitCode, expect.stringContaining(message)]);
});
