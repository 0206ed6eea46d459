import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { svc } from '../support/run-svc';
import { ROOT, startWorkflowServer, TASK, type WorkflowServer } from '../support/workflow-server';
import { TOKEN } from '../support/contract-server';

let server: WorkflowServer;
let home: string;
beforeEach(async () => {
  server = await startWorkflowServer();
  home = mkdtempSync(join(tmpdir(), 'svc-home-'));
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

const run = (...args: string[]) =>
  svc(args, {
    HOME: home,
    SVC_AUTH_TOKEN: TOKEN,
    SVC_API_URL: `${server.url}/v1`,
    SVC_AUTH_URL: server.url,
    SVC_STREAM_URL: `${server.url}/v1`,
  });

const finish = () =>
  server.change(
    [TASK.build, 'succeeded'],
    [TASK.item0, 'succeeded'],
    [TASK.item1, 'failed'],
    [TASK.greet, 'succeeded'],
    [TASK.nested, 'succeeded'],
    [ROOT, 'failed'],
  );

/** Cells of the task table. */
const rows = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .slice(0, 3)
        .map((cell) => cell.trimEnd()),
    );

describe('svc execution get', () => {
  const folded = [
    ['id', 'status', 'task'],
    [`  ${TASK.build}`, 'succeeded (8s elapsed)', 'build'],
    ['+ 2 items', 'failed (2/2, 1 failed)', 'all'],
    [`   ${TASK.item1}`, 'failed (6s elapsed)', 'all#1'],
    [`+ ${TASK.nested}`, 'succeeded (5s elapsed)', 'nested'],
    [`   ${TASK.greet}`, 'succeeded (4s elapsed)', 'greet'],
  ];

  test('shows the tasks of a workflow below it', async () => {
    finish();
    const { code, stdout, stderr } = await run('execution', 'get', ROOT);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^id: ${ROOT}\naction.ref: demo.outer\n`));
    expect(rows(stdout)).toEqual(folded);
  });

  test.each([
    ['--show-tasks', 7],
    ['--depth 1', 5],
    ['--raw', 0],
    ['--detail', 12],
    ['--attr status', 0],
    ['-k output', 0],
  ])('with %s prints %d rows', async (options, count) => {
    finish();
    expect(rows((await run('execution', 'get', ROOT, ...options.split(' '))).stdout)).toHaveLength(count);
  });

  test('prints one document with all executions in JSON', async () => {
    finish();
    const { children, status } = JSON.parse((await run('execution', 'get', ROOT, '-j')).stdout);
    expect(status).toBe('failed');
    expect(children.map(({ id }: { id: string }) => id)).toEqual(Object.values(TASK));
    expect(children[2]).toEqual({
      id: TASK.item1,
      parent: ROOT,
      task: 'all',
      item: 1,
      status: 'failed',
      action: { ref: 'core.local' },
      start_timestamp: '2026-01-02T03:04:03.000000Z',
      end_timestamp: '2026-01-02T03:04:09.000000Z',
    });
    expect(JSON.parse((await run('execution', 'get', ROOT, '-j', '--raw')).stdout)).not.toHaveProperty('children');
  });

  test('--show-tasks is rejected for other actions', async () => {
    expect(await run('execution', 'get', TASK.build, '--show-tasks')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'ERROR: --show-tasks option can only be used with workflow actions\n',
    });
  });
});

describe('while a workflow runs', () => {
  /** Ends the workflow once the command reads events. */
  const endsOnceWatched = () => {
    const { lines } = server;
    const timer = setInterval(() => {
      if (!lines().includes('GET /v1/stream')) return;
      clearInterval(timer);
      finish();
    }, 10);
  };

  test.each([
    ['run demo.outer --watch', 1],
    [`execution get ${ROOT} --watch`, 0],
  ])('svc %s reports progress on stderr, and prints the result', async (line, code) => {
    endsOnceWatched();
    const ended = await run(...line.split(' '));
    expect(ended.code).toBe(code);
    expect(ended.stderr.split('\n')).toEqual(
      expect.arrayContaining(['build succeeded', 'all failed (2/2, 1 failed)', 'all#1 failed', 'nested succeeded']),
    );
    expect(rows(ended.stdout)).toHaveLength(6);
  });

  test('svc run --watch -j keeps stdout to one document', async () => {
    endsOnceWatched();
    const { stdout, stderr } = await run('run', 'demo.outer', '--watch', '-j');
    expect(JSON.parse(stdout).children).toHaveLength(5);
    expect(stderr).toContain('greet succeeded\n');
  });

  test('svc run waits silently without a terminal', async () => {
    endsOnceWatched();
    expect(await run('run', 'demo.outer')).toMatchObject({ code: 1, stderr: '' });
  });

  test.each(['--tail --watch', '--async --watch', '--async --tail'])('svc run %s is refused', async (options) => {
    expect(await run('run', 'demo.outer', ...options.split(' '))).toMatchObject({ code: 2, stdout: '' });
    expect(server.lines()).not.toContain('POST /v1/executions');
  });
});

describe('the output of a workflow', () => {
  const told = (task: string, id: string, status: string) => [
    `Child execution (task=${task}) ${id} has started.`,
    `[${task}] begins`,
    `[${task}] ends`,
    `Child execution (task=${task}) ${id} has finished (status=${status}).`,
  ];

  test('that has ended is shown task by task', async () => {
    finish();
    const { code, stdout } = await run('execution', 'tail', ROOT);
    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual([
      ...told('build', TASK.build, 'succeeded'),
      ...told('all#0', TASK.item0, 'succeeded'),
      ...told('all#1', TASK.item1, 'failed'),
      `Child execution (task=nested) ${TASK.nested} has started.`,
      ...told('nested/greet', TASK.greet, 'succeeded'),
      `Child execution (task=nested) ${TASK.nested} has finished (status=succeeded).`,
      '',
      `Execution ${ROOT} has completed (status=failed).`,
      '',
    ]);
  });

  test('is shown while it runs, until the workflow ends', async () => {
    const tail = run('run', 'demo.outer', '--tail');
    await tail.printed('[nested/greet] ends\n');
    await tail.printed('[all#1] ends\n');
    finish();
    const { code, stdout } = await tail;
    expect(code).toBe(1);
    for (const line of told('all#1', TASK.item1, 'failed')) expect(stdout).toContain(`${line}\n`);
    expect(stdout).toMatch(new RegExp(`\n\nExecution ${ROOT} has completed \\(status=failed\\)\\.\n\nid: ${ROOT}\n`));
    expect(stdout).toMatch(/^\+-+\+/m);
  });

  test('ends with the workflow, even if one of its tasks is still running', async () => {
    const tail = run('execution', 'tail', ROOT);
    await tail.printed('[build] ends\n');
    server.change([TASK.item0, 'succeeded'], [TASK.item1, 'failed'], [ROOT, 'failed']);
    expect((await tail).stdout).toContain(`Child execution (task=build) ${TASK.build} is still running.\n`);
  });

  test('that was started last is the default, not the newest of its tasks', async () => {
    finish();
    server.on('GET /v1/executions', ({ query }) => ({
      headers: { 'x-total-count': '0' },
      body: query.get('parent') === 'null' ? [{ id: ROOT }] : [],
    }));
    expect((await run('execution', 'tail')).stdout).toBe(`\nExecution ${ROOT} has completed (status=failed).\n`);
  });

  test('has the time before each chunk on request', async () => {
    finish();
    const { stdout } = await run('execution', 'tail', ROOT, '--include-metadata');
    expect(stdout).toContain('[build] [T][stdout] begins\n');
  });
});

describe('control', () => {
  const missing = '0'.repeat(24);

  test.each([
    ['pause', 'pausing'],
    ['resume', 'resuming'],
  ])('svc execution %s requests the status %s', async (verb, status) => {
    expect(await run('execution', verb, ROOT, '--raw', '--attr', 'status')).toEqual({
      code: 0,
      stdout: `status: ${status}\n`,
      stderr: '',
    });
    expect(server.seen.find(({ method }) => method === 'PUT')?.body).toEqual({ status });
  });

  test('changes other executions after a refusal, but the command fails', async () => {
    expect(await run('execution', 'pause', missing, ROOT, '--attr', 'status')).toEqual({
      code: 1,
      stdout: 'status: pausing\n',
      stderr: 'ERROR: Resource not found. (HTTP 404)\n',
    });
  });

  test.each([
    [['--tasks', 'a', 'b', '--no-reset', 'b', '-a', ROOT], ['a', 'b'], ['a']],
    [
      [ROOT, '--tasks', 'a,b', '-a'],
      ['a', 'b'],
      ['a', 'b'],
    ],
    [[ROOT, '--tasks', 'a', '--tasks', 'b', '--no-reset', 'a', 'b', '-a'], ['a', 'b'], []],
    [[ROOT, '-a'], [], []],
  ])('svc execution re-run %j runs tasks %j, and %j in full', async (words, tasks, reset) => {
    expect(await run('execution', 're-run', ...words)).toMatchObject({ code: 0, stderr: '' });
    expect(server.seen.find(({ method }) => method === 'POST')?.body).toEqual({ parameters: {}, tasks, reset });
  });

  test('svc execution re-run rejects --no-reset for tasks that do not run', async () => {
    expect(await run('execution', 're-run', ROOT, '--tasks', 'a', '--no-reset', 'b')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'ERROR: --no-reset only takes tasks that --tasks names as well. Missing in --tasks: b.\n',
    });
  });
});
