import { once } from 'node:events';
import { frame, startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { startSvc, svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

const alias = {
  id: '65f0c0ffee00000000000001',
  uid: 'action_alias:tests:go',
  ref: 'tests.go',
  name: 'go',
  pack: 'tests',
  description: 'Goes.',
  enabled: true,
  action_ref: 'core.noop',
  formats: ['go {{where}}'],
  ack: {},
  result: {},
  extra: {},
  immutable_parameters: {},
};
const execution = {
  id: '65f0c0ffee00000000000002',
  status: 'requested',
  action: { ref: 'core.noop' },
  parameters: {},
  context: { user: 'ada' },
};
const formatting = { ...execution, id: '65f0c0ffee00000000000003', action: { ref: 'chatops.format_execution_result' } };
const ended = (of: object, status: string, result: object) => ({ ...of, status, result });

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET /v1/actionalias', ({ query }) => ({ body: query.get('name') === 'nope' ? [] : [alias] }));
  server.on('GET /v1/actionalias/tests.go', () => ({ body: alias }));
  server.on(`PUT /v1/actionalias/${alias.id}`, ({ body }) => ({ body: { ...alias, enabled: body.enabled } }));
  server.on(`DELETE /v1/actionalias/${alias.id}`, () => ({ status: 204 }));
  server.on('POST /v1/actionalias/match', () => ({
    body: { actionalias: alias, display: 'go {{where}}', representation: 'go {{where}}' },
  }));
  server.on('GET /v1/user', () => ({ body: { username: 'ada' } }));
  server.on('POST /v1/aliasexecution/match_and_execute', () => ({
    status: 201,
    body: { results: [{ execution, actionalias: alias, message: 'On my way.' }] },
  }));
  server.on('POST /v1/executions', () => ({ status: 201, body: formatting }));
  server.on(`GET /v1/executions/${execution.id}`, () => ({ body: ended(execution, 'failed', { why: 'so' }) }));
});
afterEach(() => server.close());
const environment = () => ({
  HOME: '/nowhere',
  SVC_API_URL: `${server.url}/v1`,
  SVC_STREAM_URL: `${server.url}/v1`,
  SVC_AUTH_TOKEN: TOKEN,
});
const run = (...args: string[]) => svc(['action-alias', ...args], environment());

test('aliases are listed by pack', async () => {
  const { code, stdout } = await run('list', '-p', 'tests');
  expect([code, server.seen[0]?.query.get('pack')]).toEqual([0, 'tests']);
  for (const text of ['tests.go', 'Goes.', 'True']) expect(stdout).toContain(text);
});

test.each(['tests.go', 'go'])(
  'aliases are shown, enabled, disabled and deleted by reference or name (%s)',
  async (named) => {
    expect(await run('get', named)).toMatchObject({ code: 0, stdout: expect.stringContaining(alias.uid) });
    const { stdout } = await run('disable', named, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ id: alias.id, enabled: false });
    expect(server.seen.at(-1)?.body).toEqual({ ...alias, enabled: false });
    expect((await run('delete', named)).stdout).toBe(`Resource with id "${named}" has been successfully deleted.\n`);
  },
);

test('a missing alias makes the command fail', async () => {
  const { code, stderr } = await run('get', 'nope');
  expect([code, stderr]).toEqual([1, 'ERROR: Action Alias "nope" is not found.\n']);
});

test('rejects a name that several aliases share', async () => {
  server.on('GET /v1/actionalias', () => ({ body: [alias, { ...alias, ref: 'other.go' }] }));
  const { code, stderr } = await run('delete', 'go');
  expect([code, stderr]).toEqual([2, expect.stringContaining('"go": tests.go, other.go')]);
});

test('match shows the alias for a command', async () => {
  const { code, stdout } = await run('match', 'go home');
  expect([code, server.seen.at(-1)?.body]).toEqual([0, { command: 'go home' }]);
  for (const text of ['go', 'Goes.']) expect(stdout).toContain(text);
  expect(JSON.parse((await run('match', 'go home', '-a', 'name', 'action_ref', '-j')).stdout)).toEqual([
    { name: 'go', action_ref: 'core.noop' },
  ]);
});

test('execute runs a command as the current user or the given one', async () => {
  const { code, stdout } = await run('execute', 'go', 'home');
  expect(code).toBe(0);
  for (const text of ["'tests.go'", 'On my way.', `svc execution get ${execution.id}`]) expect(stdout).toContain(text);
  expect(server.seen.at(-1)?.body).toEqual({ command: 'go home', user: 'ada', source_channel: 'cli' });
  const { stdout: json } = await run('execute', 'go home', '-u', 'bob', '-j');
  expect(JSON.parse(json)).toEqual({ id: execution.id, status: 'requested', alias: 'tests.go', message: 'On my way.' });
  expect(server.seen.at(-1)?.body).toMatchObject({ user: 'bob' });
});

test('test shows the result and the post of a chat bot, with the exit code of the execution', async () => {
  const result = { result: { enabled: true, message: 'It went wrong.' } };
  server.on(`GET /v1/executions/${formatting.id}`, () => ({ body: ended(formatting, 'succeeded', result) }));
  const { code, stdout } = await run('test', 'go home');
  expect(server.seen.find(({ body }) => body?.action)?.body).toMatchObject({
    action: formatting.action.ref,
    parameters: { execution_id: execution.id },
  });
  expect(code).toBe(1);
  expect(stdout).toContain('why: so');
  expect(stdout.endsWith('It went wrong.\n')).toBe(true);
  const { stdout: json } = await run('test', 'go home', '-j');
  expect(JSON.parse(json)).toEqual({ id: execution.id, status: 'failed', enabled: true, message: 'It went wrong.' });
});

test('test reports that nothing would be posted, or that the result cannot be formatted', async () => {
  server.on(`GET /v1/executions/${formatting.id}`, () => ({
    body: ended(formatting, 'succeeded', { result: { enabled: false } }),
  }));
  expect((await run('test', 'go home')).stdout).toContain('does not post its result');
  server.on(`GET /v1/executions/${formatting.id}`, () => ({ body: ended(formatting, 'timeout', { error: 'slow' }) }));
  const { code, stdout } = await run('test', 'go home');
  expect([code, stdout]).toEqual([4, expect.stringContaining('slow')]);
});

test('test --async does not wait', async () => {
  const { code, stdout } = await run('test', 'go home', '-a');
  expect([code, stdout]).toEqual([0, expect.stringContaining(`svc execution get ${execution.id}`)]);
});

test('test --tail shows the output while it runs', async () => {
  const chunk = { id: '1', execution_id: execution.id, output_type: 'stdout', timestamp: 'T', data: 'going\n' };
  server.on(`GET /v1/executions/${execution.id}/output`, (_request, response) => {
    response.end(`${frame('st2.execution.output__create', chunk)}event: EOF\ndata: ''\n\n`);
  });
  const result = { result: { enabled: true, message: 'Gone.' } };
  server.on(`GET /v1/executions/${formatting.id}`, () => ({ body: ended(formatting, 'succeeded', result) }));
  const { stdout } = await run('test', 'go home', '--tail');
  expect(stdout).toMatch(/^Matching Action-alias: 'tests.go'\ngoing\n[^]*why: so\n[^]*Gone.\n$/);
  const { stdout: json, stderr } = await run('test', 'go home', '--tail', '-j');
  expect([JSON.parse(json).message, stderr]).toEqual(['Gone.', 'going\n']);
  expect(await run('test', 'go home', '--tail', '-a')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--tail'),
  });
});

test('test --delay starts later, and can be interrupted until then', async () => {
  const started = 'POST /v1/aliasexecution/match_and_execute';
  const waiting = startSvc(
    ['action-alias', 'test', 'go home', '--async', '--delay', '3600000', '--auto-dict'],
    environment(),
  );
  await once(waiting.child.stderr, 'data');
  waiting.child.kill('SIGINT');
  const { code, stderr } = await waiting;
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(/--auto-dict has no effect here.*\n.*Nothing was started/),
  ]);
  expect(server.lines()).not.toContain(started);
  expect(await run('test', 'go home', '--async', '--delay', '1')).toMatchObject({ code: 0, stderr: '' });
  expect(server.lines()).toContain(started);
});
