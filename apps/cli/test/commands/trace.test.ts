import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

const TRACE = '65f0c0ffee00000000000001';
const part = (id: string, second: number, cause: Record<string, unknown> = {}, ref = `p.${id}`) => ({
  object_id: id,
  ref,
  updated_at: `2026-01-02T03:04:0${second}.000000Z`,
  caused_by: cause,
});

/** An event, the rule that matched it, the execution that the rule started, and the event at its end. */
const trace = {
  id: TRACE,
  uid: 'trace:x',
  trace_tag: 'a-tag',
  start_timestamp: '2026-01-02T03:04:00.000000Z',
  trigger_instances: [part('first', 0), part('second', 3, { type: 'action_execution', id: 'run' })],
  rules: [part('rule', 1, { type: 'trigger_instance', id: 'first' })],
  action_executions: [part('run', 2, { type: 'rule', id: 'rule:first' })],
};

let home: string;
let server: ScriptedServer;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-home-'));
  server = await startServer();
  server.on('GET /v1/traces/*', ({ path }) =>
    path.endsWith(TRACE) ? { body: trace } : { status: 404, body: { faultstring: 'no' } },
  );
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

const run = (...args: string[]) => svc(['trace', ...args], { HOME: home, SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN }); // oxfmt-ignore

/** The first column of the table of parts. */
const parts = (stdout: string) =>
  [...stdout.matchAll(/^\| (\w+) +\| (?:trigger-instance|rule|execution) /gm)].map(([, id]) => id);

it.each<[string, string[], string[]]>([
  ['everything ordered by time', [], ['first', 'rule', 'run', 'second']],
  ['the chain to an execution', ['-e', 'run'], ['first', 'rule', 'run']],
  ['the chain to a trigger instance', ['-g', 'second'], ['first', 'rule', 'run', 'second']],
  ['the chain to a rule', ['-r', 'rule'], ['first', 'rule']],
  ['only some kinds', ['--show-rules', '--show-executions'], ['rule', 'run']],
  ['no trigger instances that caused nothing', ['-n'], ['first', 'rule', 'run']],
])('svc trace get shows %s', async (_, options, shown) => {
  const { code, stdout } = await run('get', TRACE, ...options);
  expect(code).toBe(0);
  expect(stdout).toContain('a-tag');
  expect(parts(stdout)).toEqual(shown);
});

it.each([
  ['list -e run -r rule', "'-r, --rule <id>'"],
  ['list -c a-tag -e run', "'-c, --trace-tag <tag>'"],
  [`get ${TRACE} -e run -r rule`, "'-r, --rule <id>'"],
  [`get ${TRACE} -g first -e run`, "'-g, --trigger-instance <id>'"],
])('svc trace %s is refused', async (line, option) => {
  const { code, stderr } = await run(...line.split(' '));
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^ERROR: option .* cannot be used with option /)]);
  expect(stderr).toContain(option);
});

it('svc trace get prints the whole trace as JSON', async () => {
  const { stdout } = await run('get', TRACE, '--json');
  expect(JSON.parse(stdout)).toEqual(trace);
});

it('svc trace get reports a missing trace by name', async () => {
  expect(await run('get', 'nothing')).toMatchObject({ code: 1, stderr: 'ERROR: Trace "nothing" is not found.\n' });
});

it('svc trace list shows a table, and a single trace in full', async () => {
  let listed = [trace, { ...trace, id: 'other' }];
  const asked: string[] = [];
  server.on('GET /v1/traces', ({ query }) => {
    asked.push(new URLSearchParams(query).toString());
    return { headers: { 'x-total-count': '2' }, body: listed };
  });
  expect((await run('list', '-s', 'asc')).stdout).toContain('| other');
  listed = [trace];
  expect(parts((await run('list', '--trace-tag', 'a-tag')).stdout)).toHaveLength(4);
  expect(asked[0]).toContain('sort_asc=True');
  expect(asked[1]).toContain('trace_tag=a-tag');
});
