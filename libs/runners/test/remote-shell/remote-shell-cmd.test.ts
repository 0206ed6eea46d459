import { readdirSync, readFileSync } from 'node:fs';
import { truncationNote } from '@switchyard/subprocess';
import { isAlive } from '../processes';
import { describeSsh, sshFolder, TOKEN } from './ssh-fixture';

describeSsh('remote-shell-cmd', () => {
  const { server, system } = sshFolder();
  const shell = system();
  let hosts: string;
  let port: number;
  beforeAll(async () => {
    ({ port } = await server());
    hosts = `127.0.0.1:${port}`;
  });

  it.each([
    ['echo hi', 'succeeded', { failed: false, succeeded: true, return_code: 0, stdout: 'hi', stderr: '' }],
    [
      'echo o; echo e >&2; exit 3',
      'failed',
      { failed: true, succeeded: false, return_code: 3, stdout: 'o', stderr: 'e' },
    ],
    ['kill -KILL $$', 'failed', { failed: true, succeeded: false, return_code: 137, stdout: '', stderr: '' }],
    ['exit 255', 'failed', { failed: true, succeeded: false, return_code: 255, stdout: '', stderr: '' }],
  ])('ends `%s` with the status %s', async (cmd, status, entry) => {
    expect(await shell.run(cmd, { hosts })).toEqual({ status, result: { '127.0.0.1': entry }, truncated: false });
  });

  const stdoutOf = async (cmd: string, parameters: Record<string, unknown> = {}) => {
    const { result } = await shell.run(cmd, { hosts, ...parameters });
    return (result['127.0.0.1'] as { stdout: unknown }).stdout;
  };

  it.each([
    ['two lines', 'echo a\necho b', {}, 'a\nb'],
    ['quotes of every kind', `echo "it's" '"x"' \`echo y\` $((1 + 1)) '$z\\n'`, {}, `it's "x" y 2 $z\\n`],
    ['all kinds of characters', 'echo "žluťoučký 你好 🎉"; printf "tab\\tend"', {}, 'žluťoučký 你好 🎉\ntab\tend'],
    ['a value', `echo '{"a": [1, true, null]}'`, {}, { a: [1, true, null] }],
    ['its directory', 'pwd', {}, '/tmp'],
    ['another directory', 'pwd', { cwd: '/usr' }, '/usr'],
    ['the home directory', '[ "$PWD" = "$HOME" ] && echo home', { cwd: '~' }, 'home'],
    [
      'its environment',
      'echo "$MOOD|$COUNT|$LIST"',
      { env: { MOOD: "it's\nwild", COUNT: 2, LIST: [1] } },
      "it's\nwild|2|[1]",
    ],
    ['its token', 'echo $ST2_ACTION_AUTH_TOKEN $SVC_ACTION_PACK_NAME', {}, `${TOKEN} default`],
    ['an empty standard input', 'cat; echo end', {}, 'end'],
    ['default signal handling', `trap 'echo caught' INT; kill -INT $$`, {}, 'caught'],
    ['no variables of the service', 'set | grep -c ^svc_', {}, 0],
    ['a long command', `echo ${'x'.repeat(100_000)} | wc -c`, {}, 100_001],
  ])('gives the command %s', async (_name, cmd, parameters, stdout) => {
    expect(await stdoutOf(cmd, parameters)).toEqual(stdout);
  });

  it('does not expand shell characters in its directory', async () => {
    expect(await shell.run('pwd', { hosts, cwd: '/tmp; echo oops' })).toMatchObject({
      status: 'failed',
      result: { '127.0.0.1': { stdout: '', stderr: expect.stringMatching(/\/tmp; echo oops/) as string } },
    });
  });

  it('passes output on in chunks, in order, while the command runs', async () => {
    const run = shell.startCommand('echo one; read -r _ < /dev/null; echo two; sleep 60', { hosts });
    await run.until('two\n');
    expect(run.output.stdout).toBe('one\ntwo\n');
    run.handle.cancel();
    expect((await run.handle.result).status).toBe('canceled');
  });

  it('pauses the command while its output is handled, without losing any', async () => {
    let taken = '';
    const output = async (_type: unknown, chunk: Buffer | string) => {
      await new Promise(setImmediate);
      taken += chunk.toString();
    };
    const trial = { settings: { maxOutputBytes: 10 }, abilities: { output } };
    const { result, truncated } = await shell.run('seq 1 300000', { hosts }, trial);
    expect({ lines: taken.split('\n').length, truncated }).toEqual({ lines: 300_001, truncated: true });
    expect(result).toMatchObject({ '127.0.0.1': { stdout: `1\n2\n3\n4\n5\n${truncationNote(10, taken.length)}` } });
  });

  it('kills a command with all its descendants on a timeout, and keeps its output', async () => {
    const cmd = 'echo before; setsid sleep 600 & env -i sleep 601 & echo $$ >&2; trap "" TERM; sleep 602; sleep 603';
    const run = shell.startCommand(cmd, { hosts, timeout: 1 });
    const { status, result } = await run.handle.result;
    expect({ status, entry: result['127.0.0.1'] }).toMatchObject({
      status: 'timeout',
      entry: {
        failed: true,
        succeeded: false,
        timeout: true,
        return_code: -9,
        stdout: 'before',
        error: 'Action failed to complete in 1 seconds',
      },
    });
    expect(isAlive((result['127.0.0.1'] as { stderr: number }).stderr)).toBe(false);
    expect(marked(run.executionId)).toEqual([]);
  });

  it('kills a canceled command with all its descendants', async () => {
    const run = shell.startCommand('setsid sleep 600 & echo $! $$; sleep 600', { hosts });
    await run.until('\n');
    const pids = run.output.stdout.trim().split(' ').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    run.handle.cancel();
    run.handle.cancel();
    expect((await run.handle.result).status).toBe('canceled');
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  it('leaves background processes of a finished command running', async () => {
    const pid = Number(await stdoutOf('sleep 600 & echo $!'));
    expect(isAlive(pid)).toBe(true);
    process.kill(pid);
  });

  it('hides secrets from process lists and from the log', async () => {
    const secret = 'word-of-the-day';
    const run = shell.startCommand(`echo ready; : ${secret}; sleep 600; true`, { hosts, env: { SECRET: secret } });
    await run.until('ready');
    const lists = commandLines().filter((line) => line.includes(TOKEN) || line.includes(secret));
    run.handle.cancel();
    const { result } = await run.handle.result;
    expect(lists).toEqual([]);
    expect(JSON.stringify([result, run.warnings])).not.toMatch(new RegExp(`${TOKEN}|${secret}`));
  });

  it('runs many commands concurrently over a few connections', async () => {
    const runs = Array.from({ length: 20 }, (_, index) => shell.run(`echo ${index}; sleep 0.2`, { hosts }));
    const results = await Promise.all(runs);
    expect(results.map(({ result }) => (result['127.0.0.1'] as { stdout: unknown }).stdout)).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    );
  });

  it('works on several hosts concurrently, and prints whole lines of each', async () => {
    const several = `127.0.0.1:${port}, 127.0.0.2:${port},localhost:${port}`;
    const run = shell.startCommand('printf "be"; sleep 0.1; echo "gin"; echo end', { hosts: several });
    const { status, result } = await run.handle.result;
    expect({ status, hosts: Object.keys(result) }).toEqual({
      status: 'succeeded',
      hosts: ['127.0.0.1', '127.0.0.2', 'localhost'],
    });
    expect(run.output.stdout.split('\n').toSorted()).toEqual(['', 'begin', 'begin', 'begin', 'end', 'end', 'end']);
  });

  it('distinguishes two ports of a host', async () => {
    const other = await server();
    const { result } = await shell.run('true', {
      hosts: `127.0.0.1:${port}, 127.0.0.1:${other.port}, 127.0.0.2`,
      port,
    });
    expect(Object.keys(result)).toEqual([`127.0.0.1:${port}`, `127.0.0.1:${other.port}`, '127.0.0.2']);
  });

  describe('with an unreachable host', () => {
    const two = () => `127.0.0.2:${port}, 127.0.0.1:1`;

    it('fails, and shows the results of the other hosts', async () => {
      expect(await shell.run('echo hi', { hosts: two() })).toEqual({
        status: 'failed',
        truncated: false,
        result: {
          '127.0.0.2': { failed: false, succeeded: true, return_code: 0, stdout: 'hi', stderr: '' },
          '127.0.0.1': {
            failed: true,
            succeeded: false,
            return_code: 255,
            stdout: '',
            stderr: '',
            timeout: false,
            error: expect.stringMatching(
              /^Could not connect to 127.0.0.1 port 1 as \S+: (Error: )?connect ECONNREFUSED/,
            ) as string,
            traceback: '',
          },
        },
      });
    });

    it('succeeds if one success is enough', async () => {
      const lenient = system({ allow_partial_failure: 'true' });
      expect((await lenient.run('echo hi', { hosts: two() })).status).toBe('succeeded');
    });

    it('fails to connect if there is no other host', async () => {
      const { status, result } = await shell.run('true', { hosts: 'localhost:1' });
      expect({ status, result }).toEqual({
        status: 'failed',
        result: {
          failed: true,
          succeeded: false,
          error: expect.stringMatching(
            /^Unable to connect to any one of the hosts: localhost\. Could not connect to localhost port 1 as \S+: (Error: )?connect ECONNREFUSED/,
          ) as string,
        },
      });
    });
  });

  it('gives up on a connection without a response', async () => {
    const impatient = system({ ssh_connect_timeout: '1' });
    const { createServer } = await import('node:net');
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port: silentPort } = silent.address() as { port: number };
    const { result } = await impatient.run('true', { hosts: `127.0.0.1:${silentPort}` });
    expect(result['error']).toMatch(/Timed out while waiting for handshake/);
    silent.close();
  });

  it('reconnects when the server closed a pooled connection', async () => {
    const first = await server();
    const where = { hosts: `127.0.0.1:${first.port}` };
    const parent = await shell.run('ps -o ppid= -p $PPID', where);
    process.kill((parent.result['127.0.0.1'] as { stdout: number }).stdout, 'SIGKILL');
    expect((await shell.run('echo again', where)).status).toBe('succeeded');
  });

  it('does not repeat a command whose connection was lost', async () => {
    const first = await server();
    const where = { hosts: `127.0.0.1:${first.port}` };
    const cmd = 'kill -KILL $(ps -o ppid= -p $PPID); sleep 600';
    const { status, result } = await shell.run(cmd, where);
    expect({ status, entry: result['127.0.0.1'] }).toMatchObject({
      status: 'failed',
      entry: { return_code: 255, error: expect.stringMatching(/^The connection was lost while the command/) as string },
    });
  });

  it.each([
    ['no hosts', { hosts: ' , ' }, {}, /^No hosts specified to run action for action live-/],
    ['no command', { cmd: undefined }, {}, /no value for its parameter "cmd"/],
    [
      'an entry point',
      {},
      { action: { entry_point: 'a.sh' } },
      /^entry_point is only valid for remote-shell-script runner$/,
    ],
    ['an invalid host', { hosts: 'a b' }, {}, /^"a b" in hosts is neither/],
    ['an option in place of a host', { hosts: '-oProxyCommand=x' }, {}, /is neither a host nor/],
  ])('rejects %s', async (_name, parameters, trial, error) => {
    const { status, result } = await shell.run('true', { hosts, ...parameters }, trial);
    expect({ status, result }).toEqual({
      status: 'failed',
      result: { failed: true, succeeded: false, error: expect.stringMatching(error) as string },
    });
  });

  it.each([
    ['an invalid name', { env: { 'A;B': 'x' } }, /^"A;B" in env is not the name/],
    ['a null character', { cmd: 'echo a\0b' }, /null character/],
  ])('rejects %s, on each host', async (_name, parameters, error) => {
    const { result } = await shell.run('true', { hosts, ...parameters });
    expect(result['127.0.0.1']).toMatchObject({ error: expect.stringMatching(error) as string });
  });
});

const commandLines = (): string[] => processes().map((pid) => textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' '));

const marked = (executionId: string): string[] =>
  processes().filter((pid) => textOf(`/proc/${pid}/environ`).includes(`ACTION_EXECUTION_ID=${executionId}`));

const processes = (): string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
