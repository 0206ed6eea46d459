import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ID, startContractServer, type ContractServer, TOKEN } from '../support/contract-server';
import { startSvc, svc } from '../support/run-svc';

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
  ST2_STREAM_URL: `${server.url}/v1`,
});
const stranger = (...args: string[]) => svc(args, addresses());
const loggedIn = () => ({ ...addresses(), SVC_AUTH_TOKEN: TOKEN });
const run = (...args: string[]) => svc(args, loggedIn());
const runAlone = (...args: string[]) => startSvc(args, loggedIn());
/** Ends the execution as soon as the stream is read. */
const endsWith = (status: string, result?: unknown) =>
  server.on('GET /v1/stream', (_request, response) => {
    response.write('\n');
    setImmediate(() => {
      server.finish(status, result);
      response.end();
    });
  });

describe('starting', () => {
  test.each([
    ['--version', 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    ['--help', 0, /Exit codes:/, /^$/],
    ['', 2, /^$/, /Usage: svc/],
    ['execution', 2, /^$/, /Usage: svc execution/],
    ['exection list', 2, /^$/, /^ERROR: unknown command 'exection'\n\(Did you mean execution\?\)/],
    ['execution list --nope', 2, /^$/, /^ERROR: unknown option '--nope'/],
    ['execution get', 2, /^$/, /^ERROR: missing required argument 'id'/],
    ['run', 2, /^$/, /^ERROR: Specify the action to run/],
    ['run -h', 0, /Usage: svc run/, /^$/],
    ['run core.local --delay soon', 2, /^$/, /Expected a whole number of at least 0/],
    ['--config-file /no/such whoami', 2, /^$/, /^ERROR: The configuration file \/no\/such does not exist/],
    ['--print-config', 3, /^$/, /^$/],
  ])('svc %s ends with %d', async (line, code, stdout, stderr) => {
    const ended = await startSvc(line.split(' ').filter(Boolean), addresses());
    expect(ended).toEqual({ code, stdout: expect.stringMatching(stdout), stderr: expect.stringMatching(stderr) });
  });
});

describe('logging in', () => {
  const tokenFiles = () => readdirSync(join(home, '.svc')).filter((name) => name.startsWith('token-'));

  test('is remembered, and forgotten by logout', async () => {
    expect(await stranger('login', 'me', '-p', 'sesame', '-l', '60')).toMatchObject({ code: 0, stderr: '' });
    expect(server.seen[0]?.body).toEqual({ ttl: 60 });
    expect(tokenFiles()).toHaveLength(1);
    expect(readFileSync(join(home, '.svc/config'), 'utf8')).toBe('[credentials]\nusername = me\n');
    expect((await stranger('whoami')).stdout).toContain('Currently logged in as "me".');
    expect(await stranger('logout')).toMatchObject({ code: 0 });
    expect(server.lines()).toContain('DELETE /tokens/current');
    expect(tokenFiles()).toHaveLength(0);
    expect(await stranger('whoami')).toMatchObject({ code: 1, stderr: expect.stringContaining('svc login USER') });
  });

  test('reads the password from the input if it is not a terminal', async () => {
    expect(await svc(['login', 'me'], addresses(), 'sesame\n')).toMatchObject({ code: 0 });
    expect(await svc(['login', 'me'], addresses(), '')).toMatchObject({ code: 2 });
  });

  test('with a token remembers that token', async () => {
    expect(await stranger('login', '-t', 'f'.repeat(32))).toMatchObject({ code: 0 });
    expect((await stranger('whoami')).code).toBe(0);
    expect(await stranger('login', 'you', '-t', 'f'.repeat(32))).toMatchObject({ code: 1 });
  });

  test('with a wrong password leaves nothing behind', async () => {
    const ended = await stranger('login', 'me', '-p', 'wrong-password');
    expect(ended).toEqual({ code: 1, stdout: '', stderr: 'ERROR: Invalid or missing credentials. (HTTP 401)\n' });
    expect(existsSync(join(home, '.svc'))).toBe(false);
  });

  test('happens automatically with the password from the file, once', async () => {
    const file = join(home, 'config');
    writeFileSync(file, '[credentials]\nusername = me\npassword = sesame\n');
    await stranger('--config-file', file, 'whoami');
    await stranger('whoami', '--config-file', file);
    expect(server.lines()).toEqual(['POST /tokens', 'GET /v1/user', 'GET /v1/user']);
  });

  test.each([
    [{ SVC_AUTH_TOKEN: 'f'.repeat(32) }, 0],
    [{ ST2_AUTH_TOKEN: 'f'.repeat(32) }, 0],
    [{ ST2_AUTH_TOKEN: 'wrong', SVC_AUTH_TOKEN: 'f'.repeat(32) }, 0],
    [{ ST2_AUTH_TOKEN: 'wrong' }, 1],
    [{ ST2_API_KEY: 'key', SVC_AUTH_TOKEN: 'f'.repeat(32) }, 0],
  ])('is not needed with %j in the environment', async (env, code) => {
    expect((await svc(['whoami'], { ...addresses(), ...env })).code).toBe(code);
  });

  test.each([
    [{ SVC_API_KEY: 'marked' }, [], 'the variable SVC_API_KEY or ST2_API_KEY'],
    [{ ST2_API_KEY: 'marked' }, [], 'the variable SVC_API_KEY or ST2_API_KEY'],
    [{}, ['--api-key', 'marked'], 'the option --api-key'],
    [{}, ['--api-key', 'marked', '--token', 'f'.repeat(32)], 'the option --api-key'],
  ])('is not possible with the API key in %j %j', async (env, options, source) => {
    const { code, stderr } = await svc(['whoami', ...options], { ...addresses(), ...env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`svc does not use API keys, and ${source} has one.`)]);
    expect(stderr).toContain('svc token create --service NAME');
    expect(stderr).not.toContain('marked');
    expect(server.lines()).toEqual([]);
  });

  test('is not possible with an API key in the file', async () => {
    const file = join(home, 'config');
    writeFileSync(file, '[credentials]\napi_key = marked\n');
    const { code, stderr } = await svc(['--config-file', file, 'whoami'], addresses());
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('the option api_key in the configuration file has one'),
    ]);
    expect(server.lines()).toEqual([]);
  });

  test('with auth prints only the token', async () => {
    expect(await stranger('auth', 'me', '-p', 'sesame', '-t')).toMatchObject({
      code: 0,
      stdout: `${'f'.repeat(32)}\n`,
    });
  });

  test('with auth shows the user, the token and its expiry as the server sent it', async () => {
    const expiry = '2026-11-29T14:25:03.083000Z';
    server.on('POST /tokens', () => ({ status: 201, body: { id: '1', user: 'me', token: TOKEN, expiry } }));
    const { stdout } = await stranger('auth', 'me', '-p', 'sesame');
    const rows = [...stdout.matchAll(/^\| (\w+) +\| (\S+) +\|$/gm)].map(([, name, value]) => [name, value]);
    expect(rows).toEqual([
      ['Property', 'Value'],
      ['user', 'me'],
      ['token', TOKEN],
      ['expiry', expiry],
    ]);
  });

  test('never shows a secret, not even with --debug', async () => {
    const ended = await stranger('--debug', 'login', 'me', '-p', 'sesame');
    expect(ended.code).toBe(0);
    expect(ended.stdout + ended.stderr).not.toMatch(/sesame|ffff|bWU6/);
    expect(ended.stderr).toContain('# curl -X POST');
  });
});

describe('run', () => {
  test.each([
    ['succeeded', 0],
    ['failed', 1],
    ['timeout', 4],
    ['canceled', 5],
    ['abandoned', 6],
  ])('with an execution that ends as %s has exit code %d', async (status, code) => {
    endsWith(status, { stdout: 'hello' });
    const ended = await run('run', 'core.local', 'cmd=echo hello', 'count=3');
    expect(ended).toMatchObject({ code, stderr: '' });
    expect(ended.stdout).toBe(
      [
        `id: ${ID}`,
        'action.ref: core.local',
        'context.user: me',
        'parameters:',
        '  cmd: echo hello',
        '  count: 3',
        `status: ${status}`,
        'start_timestamp: Fri, 02 Jan 2026 03:04:05 UTC',
        'end_timestamp: Fri, 02 Jan 2026 03:04:08 UTC',
        'result:',
        '  stdout: hello',
        '',
      ].join('\n'),
    );
  });

  test.each([
    ['run core.local -k stdout', 'hello\n'],
    ['run core.local -k nosuch', 'None\n'],
    ['run -k stdout core.local', 'hello\n'],
    ['run core.local --attr status id', `status: succeeded\nid: ${ID}\n`],
    ['run core.local --attr=status,id', `status: succeeded\nid: ${ID}\n`],
    ['run core.local -j --attr status', '{\n    "status": "succeeded"\n}\n'],
    ['run -y core.local -k stdout', 'hello\n'],
    ['run core.local -a', expect.stringContaining(` svc execution tail ${ID}\n`)],
    ['run core.local --async -j', `{\n    "id": "${ID}",\n    "status": "requested"\n}\n`],
    ['action execute core.local', expect.stringContaining(` svc execution get ${ID}\n`)],
  ])('svc %s prints one thing', async (line, stdout) => {
    endsWith('succeeded', { stdout: 'hello' });
    expect(await run(...line.split(' '))).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('types parameters by the definitions of action and runner, with options anywhere', async () => {
    endsWith('succeeded');
    await run(
      'run',
      'core.local',
      '--delay',
      '5',
      'timeout=7',
      '--trace-tag',
      't',
      'list=a,b',
      '-u',
      'you',
      '--',
      'ls',
      '-l',
    );
    expect(server.seen.find(({ method }) => method === 'POST')?.body).toEqual({
      action: 'core.local',
      parameters: { timeout: 7, list: ['a', 'b'], cmd: 'ls -l' },
      user: 'you',
      delay: 5,
      context: { trace_context: { trace_tag: 't' } },
    });
  });

  test('-e passes the environment without personal or secret variables', async () => {
    endsWith('succeeded');
    await svc(['run', '-e', 'core.local'], { ...addresses(), SVC_AUTH_TOKEN: TOKEN, USER: 'me', MINE: 'x' });
    const { env } = server.seen.find(({ method }) => method === 'POST')?.body.parameters;
    expect(env).toMatchObject({ MINE: 'x' });
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['USER']));
    expect(JSON.stringify(env)).not.toContain('"key"');
  });

  test('--tail prints stored output, then new output, each once', async () => {
    server.print('stored\n');
    const tail = run('run', 'core.local', '--tail');
    await tail.printed('stored');
    server.print('live\n');
    await tail.printed('live');
    server.finish('failed');
    const { code, stdout, stderr } = await tail;
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(
      new RegExp(`^stored\nlive\n\nExecution ${ID} has completed \\(status=failed\\)\\.\n\nid: ${ID}\n`),
    );
  });

  test.each([
    [[], /^id: .*\naction\.ref: core\.local\n[^]*^status: failed\n[^]*^result:\s*\n +stderr: it broke\n/m],
    [['-k', 'stderr'], /^it broke$/m],
    [['-d'], /^\| result +\| /m],
  ])('--tail %j shows the same result at the end as without --tail', async (options, expected) => {
    const tail = run('run', 'core.local', '--tail', ...options);
    server.print('going\n');
    await tail.printed('going');
    server.finish('failed', { stderr: 'it broke' });
    const [before = '', after = ''] = (await tail).stdout.split(`Execution ${ID} has completed (status=failed).\n\n`);
    expect(before).toBe('going\n\n');
    expect(after).toMatch(expected);
    expect(after).toBe((await run('run', 'core.local', ...options)).stdout);
  });

  test('Ctrl-C does not stop the execution, and a message says so', async () => {
    const tail = runAlone('run', 'core.local', '--tail');
    server.print('going\n');
    await tail.printed('going');
    tail.child.kill('SIGINT');
    const ended = await tail;
    expect(ended.code).toBe(130);
    expect(ended.stderr).toMatch(new RegExp(`^ERROR: Interrupted\\..*svc execution cancel ${ID}\\.\n$`));
    expect(server.lines()).not.toContain(`DELETE /v1/executions/${ID}`);
  });

  test.each([
    ['run core.nosuch', 1, 'ERROR: Action "core.nosuch" is not found. "svc action list" shows those that exist.\n'],
    ['run core.local timeout=soon', 1, 'ERROR: Parameter "timeout": "soon" is not an integer.\n'],
    ['run core.local --async --tail', 2, 'ERROR: Either --async or --tail.\n'],
  ])('svc %s is rejected with one line', async (line, code, stderr) => {
    expect(await run(...line.split(' '))).toEqual({ code, stdout: '', stderr });
  });

  test('REF -h shows the parameters of the action', async () => {
    const { stdout } = await run('run', 'core.local', '-h');
    expect(stdout).toContain('Optional Parameters:\n    cmd\n        Type: string\n');
    expect(stdout).not.toContain('sudo');
  });
});

describe('executions', () => {
  test('are listed newest last, with a note on stderr if there are more', async () => {
    const { stdout, stderr } = await run(
      'execution',
      'list',
      '-n',
      '2',
      '-a',
      'id',
      'status',
      '--status',
      'running',
      '-tg',
      '2026-01-01',
    );
    expect(stdout.split('\n').filter((line) => line.includes('running'))[1]).toContain(`${ID.slice(0, -1)}2`);
    expect(stdout).not.toContain('\u001b');
    expect(stderr).toBe('Note: Only first 2 action executions are displayed. Use -n/--last flag for more results.\n');
    const { query } = server.seen[0] ?? {};
    expect(query?.toString()).toContain('status=running&timestamp_gt=2026-01-01&parent=null&sort_desc=True');
  });

  test('are shown even if another one is missing, but the command fails', async () => {
    const missing = '0'.repeat(24);
    expect(await run('execution', 'get', ID, missing, '-j', '--attr', 'id')).toEqual({
      code: 1,
      stdout: `[\n    {\n        "id": "${ID}"\n    }\n]\n`,
      stderr: `ERROR: Action Execution "${missing}" is not found.\n`,
    });
  });

  test('are canceled, unless they have already ended', async () => {
    expect(await run('execution', 'cancel', ID)).toEqual({
      code: 0,
      stdout: `execution with id ${ID} canceled.\n`,
      stderr: '',
    });
    server.finish('succeeded');
    const late = 'ERROR: Action cannot be canceled. State = succeeded. (HTTP 409)\n';
    expect(await run('execution', 'cancel', ID)).toEqual({ code: 2, stdout: '', stderr: late });
  });

  test('show their output, and tail also shows their status', async () => {
    server.print('out\n');
    server.finish('timeout');
    expect(await run('execution', 'output', ID)).toEqual({ code: 0, stdout: 'out\n', stderr: '' });
    expect(await run('execution', 'tail', ID, '--include-metadata')).toEqual({
      code: 4,
      stdout: `[T][stdout] out\n\nExecution ${ID} has completed (status=timeout).\n`,
      stderr: '',
    });
  });
});

describe('actions', () => {
  test('are listed in a table that fits the terminal', async () => {
    const ended = await svc(['action', 'list'], { ...addresses(), SVC_AUTH_TOKEN: TOKEN, COLUMNS: '40' });
    expect(ended.stdout).toBe(`+------------+------+-----------------+
| ref        | pack | description     |
+------------+------+-----------------+
| core.local | core | Runs a command. |
| core.noop  | core | Ünïcode 日本    |
+------------+------+-----------------+
`);
  });

  test.each([
    ['{"name": "x", "runner_type": "noop"}', 0],
    ['name: x\nrunner_type: noop\n', 0],
    ['runner_type: noop', 2],
    ['[1]', 2],
    ['a: [', 2],
  ])('are created from %j, or refused with %d', async (content, code) => {
    const file = join(home, 'action.yaml');
    writeFileSync(file, content);
    const ended = await run('action', 'create', file, '-a', 'name');
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(code ? /^ERROR: [^\n]+\n$/ : /^$/);
  });

  test('are disabled by an update without their ref', async () => {
    expect(await run('action', 'disable', 'core.local', '-j', '-a', 'enabled')).toMatchObject({
      code: 0,
      stdout: '{\n    "enabled": false\n}\n',
    });
    const { ref, enabled } = server.seen.at(-1)?.body;
    expect({ ref, enabled }).toEqual({ ref: undefined, enabled: false });
  });

  test.each([
    ['core.local', 0],
    ['core.nosuch', 2],
  ])('deleting %s ends with %d', async (ref, code) => {
    expect((await run('action', 'delete', ref)).code).toBe(code);
  });

  test('enabling or updating one that does not exist ends with 1', async () => {
    const file = join(home, 'action.yaml');
    writeFileSync(file, 'name: nosuch');
    expect((await run('action', 'enable', 'core.nosuch')).code).toBe(1);
    expect((await run('action', 'update', 'core.nosuch', file)).code).toBe(1);
  });
});

test('an unreachable server is one line of error, with a stack only for --debug', async () => {
  const env = { HOME: home, SVC_AUTH_TOKEN: TOKEN, SVC_API_URL: `${server.url}/v1` };
  await server.close();
  const ended = await svc(['action', 'list'], env);
  expect(ended).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^ERROR: Cannot reach http:\S+: connection refused[^\n]+\n$/),
  });
  expect((await svc(['action', 'list', '--debug'], env)).stderr).toMatch(/\n +at /);
  server = await startContractServer();
});

test('a closed output ends the command silently', async () => {
  server.on('GET /v1/actions', () => ({
    body: Array.from({ length: 20_000 }, (_, index) => ({ ref: `pack.action_${index}`, pack: 'pack' })),
  }));
  const list = runAlone('action', 'list');
  await list.printed('action_0');
  list.child.stdout.destroy();
  expect(await list).toMatchObject({ code: 141, stderr: '' });
});
