import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

const definition = `version: 1.0
input: [name]
tasks:
  hello:
    action: core.echo message=<% ctx().name %>
    next:
      - when: <% succeeded() %>
        publish: said=<% result().stdout %>
        do: bye
  bye:
    action: core.noop
output:
  - said: <% ctx().said %>
`;
const rehearsal = (said: string) => `workflow: w.yaml
inputs: {name: Ann}
expected_task_sequence: [hello, bye]
mock_action_executions:
  - {task_id: hello, result_path: answer.json}
expected_output: {said: ${said}}
`;

describe('svc workflow', () => {
  let directory: string;
  const path = (name: string) => join(directory, name);

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'svc-workflow-'));
    const files = {
      'w.yaml': definition,
      'bad.yaml': definition.replace('do: bye', 'do: nowhere'),
      'broken.yaml': 'tasks: {t1: [}',
      'old.yaml': definition.replace('version: 1.0\n', ''),
      'answer.json': '{"stdout": "Ann"}',
      'right.yaml': rehearsal('Ann'),
      'wrong.yaml': rehearsal('Bob'),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('finds nothing wrong with a valid definition, without actions if there is no server', async () => {
    const env = { SVC_API_URL: 'http://127.0.0.1:9/v1' };
    expect(await svc(['workflow', 'inspect', path('w.yaml')], env)).toEqual({
      code: 0,
      stdout: 'No errors found in workflow definition.\n',
      stderr: expect.stringMatching(/^Actions and their inputs were not checked: Cannot reach .*\n$/),
    });
  });

  it('lets the server inspect a definition, and notes that it needs a login', async () => {
    const server = await startServer();
    const finding = { type: 'content', message: 'The action "core.echo" is not registered in the database.' };
    server.on('POST /v1/workflows/inspect', ({ headers }) =>
      headers['x-auth-token'] ? { body: [finding] } : { status: 401, body: { faultstring: 'Unauthorized' } },
    );
    const env = { SVC_API_URL: `${server.url}/v1`, HOME: '/nowhere' };
    const inspect = (given: Record<string, string>) => svc(['workflow', 'inspect', '-j', path('w.yaml')], given);
    const { code, stdout } = await inspect({ ...env, SVC_AUTH_TOKEN: TOKEN });
    expect([code, JSON.parse(stdout)]).toEqual([1, [finding]]);
    expect(server.seen[0]).toMatchObject({ headers: { 'content-type': 'text/plain' }, body: definition });
    expect(await inspect(env)).toEqual({
      code: 0,
      stdout: '[]\n',
      stderr: 'Actions and their inputs were not checked: Unauthorized\n',
    });
    await server.close();
  });

  it('reports errors with their position', async () => {
    const { code, stdout } = await svc(['workflow', 'inspect', '--file', path('bad.yaml')], {});
    expect(code).toBe(1);
    expect(stdout).toContain('type: semantic');
    expect(stdout).toContain('The task "nowhere" is not defined.');
    expect(stdout).toContain('line: 9');
  });

  it('inspects the definition of an action on the server', async () => {
    const server = await startServer();
    server.on('GET /v1/actions/demo.hello', () => ({ body: { ref: 'demo.hello', runner_type: 'orquesta' } }));
    const finding = { type: 'semantic', line: 9 };
    server.on('POST /v1/workflows/inspect', ({ body }) => ({
      body: String(body).includes('nowhere') ? [finding] : [],
    }));
    server.on('GET /v1/actions/demo.script', () => ({ body: { ref: 'demo.script', runner_type: 'python-script' } }));
    server.on('GET /v1/actions/views/entry_point/demo.hello', () => ({ text: definition.replace('bye', 'nowhere') }));
    const env = { SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN, HOME: '/nowhere' };
    const inspect = (...args: string[]) => svc(['workflow', 'inspect', ...args], env);
    const { code, stdout } = await inspect('--action', 'demo.hello', '-j');
    expect([code, JSON.parse(stdout)]).toEqual([1, [finding]]);
    const script = await inspect('--action', 'demo.script');
    expect([script.code, script.stderr]).toEqual([1, expect.stringContaining('its runner is python-script')]);
    expect((await inspect('--action', 'demo.hello', path('w.yaml'))).code).toBe(2);
    expect((await inspect('--action', 'demo.nosuch')).code).toBe(1);
    await server.close();
  });

  it('prints findings as a document', async () => {
    expect((await svc(['workflow', 'inspect', path('w.yaml'), '-j'], {})).stdout).toBe('[]\n');
    const { code, stdout } = await svc(['workflow', 'test', path('right.yaml'), path('wrong.yaml'), '-j'], {});
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual([
      { file: path('right.yaml'), passed: true, differences: [] },
      { file: path('wrong.yaml'), passed: false, differences: [expect.objectContaining({ actual: { said: 'Ann' } })] },
    ]);
  });

  it('warns about valid but suspicious definitions', async () => {
    const { code, stderr } = await svc(['workflow', 'inspect', path('old.yaml')], {});
    expect(code).toBe(0);
    expect(stderr).toContain('warning: ');
    expect(stderr).toContain('version');
  });

  it.each([
    [['inspect', 'broken.yaml'], 1, 'broken.yaml:1:'],
    [['inspect', 'missing.yaml'], 2, 'Cannot read the file'],
    [['test', 'w.yaml'], 1, "'expected_task_sequence' is a required property"],
  ])('rejects %j with one line', async ([command = '', file = ''], code, message) => {
    const finished = await svc(['workflow', command, path(file)], {});
    expect(finished.code).toBe(code);
    expect(finished.stderr).toContain(message);
    expect(finished.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('rehearses workflows and shows the differences', async () => {
    const right = await svc(['workflow', 'test', path('right.yaml')], {});
    expect(right).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed, 0 failed') });
    const both = await svc(['workflow', 'test', path('right.yaml'), path('wrong.yaml')], {});
    expect(both.code).toBe(1);
    expect(both.stdout).toContain('expected: {"said":"Bob"}\n    actual:   {"said":"Ann"}');
    expect(both.stdout).toContain('1 passed, 1 failed');
  });
});
