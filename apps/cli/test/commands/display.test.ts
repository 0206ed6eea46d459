import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ID, startContractServer, type ContractServer, TOKEN } from '../support/contract-server';
import { svc } from '../support/run-svc';

let server: ContractServer;
let home: string;
beforeEach(async () => {
  server = await startContractServer();
  home = mkdtempSync(join(tmpdir(), 'svc-home-'));
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

const addresses = () => ({
  HOME: home,
  SVC_API_URL: `${server.url}/v1`,
  SVC_AUTH_URL: server.url,
  SVC_STREAM_URL: `${server.url}/v1`,
});
const stranger = (line: string) => svc(line.split(' '), addresses());
const run = (line: string) => svc(line.split(' '), { ...addresses(), SVC_AUTH_TOKEN: TOKEN });

describe('the status', () => {
  beforeEach(() => server.finish('failed'));

  test.each([
    ['execution list', 'failed (3s elapsed)'],
    ['execution list -a all', 'failed (3s elapsed)'],
    ['execution list -a id status', '| failed |'],
    ['execution list --attr=status', '| failed |'],
    [`execution get ${ID}`, 'status: failed (3s elapsed)\n'],
    [`execution get ${ID} -d`, 'failed (3s elapsed)'],
    [`execution get ${ID} -a status`, 'status: failed\n'],
    [`execution get ${ID} -d -a status`, '| failed |'],
  ])('of svc %s is shown as "%s"', async (line, shown) => {
    const { stdout } = await run(line);
    // Cells are as wide as the widest.
    expect(stdout.replace(/ +\|/g, ' |')).toContain(shown);
    if (!shown.includes('elapsed')) expect(stdout).not.toContain('elapsed');
  });
});

test.each([
  ['-w 9', [9, 9]],
  ['-w 30 9', [30, 9]],
  ['-w 9 9 9', [28, 28]],
])('%s sets the widths of the columns', async (option, widths) => {
  const { stdout } = await run(`action list -a ref description ${option}`);
  expect(stdout.split('\n')[0]).toBe(`+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+`);
});

describe('--with-schema', () => {
  const schema = ['output_schema:', '  type: object', '  properties:', '    stdout:', '      type: string', ''].join(
    '\n',
  );
  const whole = { type: 'object', properties: { stdout: { type: 'string' } } };
  beforeEach(() =>
    server.on('POST /v1/executions', () => {
      server.finish('succeeded', { stdout: 'hello' });
      return { status: 201, body: { id: ID, status: 'requested', action: { ref: 'core.local' } } };
    }),
  );

  test.each(['run core.local --with-schema', 'action execute core.local --with-schema'])(
    'of svc %s waits for the result and suggests a schema',
    async (line) => {
      const { code, stdout } = await run(line);
      expect([code, stdout]).toEqual([0, expect.stringContaining('result:\n  stdout: hello\n')]);
      expect(stdout.endsWith(`\nThe output fits this schema:\n\n${schema}`)).toBe(true);
    },
  );

  test('is a member of the document in JSON', async () => {
    server.finish('succeeded', { stdout: 'hello' });
    const { stdout } = await run(`execution get ${ID} --with-schema -j -a id`);
    expect(JSON.parse(stdout)).toEqual({ id: ID, suggested_output_schema: whole });
  });

  test.each(['pause', 'resume'])('reports after %s that it needs a result', async (verb) => {
    server.on('PUT /v1/executions/*', ({ body }) => ({
      body: { id: ID, action: { ref: 'core.local' }, start_timestamp: '2026-01-02T03:04:05.000000Z', ...body },
    }));
    const { code, stdout, stderr } = await run(`execution ${verb} ${ID} --with-schema`);
    expect([code, stdout]).toEqual([0, expect.stringContaining('status: ')]);
    expect(stderr).toBe('An output schema is suggested from the result of a run that succeeded.\n');
  });

  test.each([
    ['run core.local --async --with-schema', 'ERROR: Either --async or --with-schema, which needs a result.\n'],
    [`execution get ${ID} --with-schema -k stdout`, /^ERROR: option '--with-schema' cannot be used with option '-k/],
  ])('svc %s is refused', async (line, stderr) => {
    const expected: unknown = typeof stderr === 'string' ? stderr : expect.stringMatching(stderr);
    expect(await run(line)).toEqual({ code: 2, stdout: '', stderr: expected });
  });
});

describe('-j and -y', () => {
  test('of execution tail print the finished execution, and its output to stderr', async () => {
    server.print('out\n');
    server.finish('failed', { stdout: 'out' });
    const { code, stdout, stderr } = await run(`execution tail ${ID} -j`);
    expect([code, stderr]).toEqual([1, 'out\n']);
    expect(JSON.parse(stdout)).toMatchObject({ id: ID, status: 'failed', result: { stdout: 'out' } });
    expect((await run(`execution tail ${ID} -y`)).stdout).toMatch(/^action:\n +ref: core.local\n/);
  });

  test('of execution output print one document', async () => {
    server.print('out\n');
    server.finish('succeeded');
    expect(JSON.parse((await run(`execution output ${ID} -j`)).stdout)).toEqual({ id: ID, output: 'out\n' });
  });

  test('of login and logout print the user, but no token', async () => {
    const login = await stranger('login me -p sesame -l 60 -j');
    expect(JSON.parse(login.stdout)).toEqual({ user: 'me', expiry: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(await stranger('logout -y')).toEqual({ code: 0, stdout: 'logged_out: true\nuser: me\n', stderr: '' });
  });
});
