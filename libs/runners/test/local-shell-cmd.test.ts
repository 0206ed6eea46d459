import { truncationNote } from '@switchyard/subprocess';
import { isAlive } from './processes';
import { runCommand, runTrial, startTrial } from './runner-fixture';

const start = (cmd: string, parameters: Record<string, unknown> = {}) =>
  startTrial({ runner: 'local-shell-cmd', parameters: { cmd, ...parameters } });

describe('local-shell-cmd', () => {
  it.each([
    ['echo hi', 'succeeded', { failed: false, succeeded: true, return_code: 0, stdout: 'hi', stderr: '' }],
    ['true', 'succeeded', { failed: false, succeeded: true, return_code: 0, stdout: '', stderr: '' }],
    [
      'echo o; echo e >&2; exit 1',
      'failed',
      { failed: true, succeeded: false, return_code: 1, stdout: 'o', stderr: 'e' },
    ],
    ['exit 125', 'failed', { failed: true, succeeded: false, return_code: 125, stdout: '', stderr: '' }],
    ['kill -TERM $$', 'abandoned', { failed: true, succeeded: false, return_code: -15, stdout: '', stderr: '' }],
    ['kill -KILL $$', 'failed', { failed: true, succeeded: false, return_code: -9, stdout: '', stderr: '' }],
  ])('ends `%s` with the status %s', async (cmd, status, result) => {
    expect(await runCommand(cmd)).toEqual({ status, result, truncated: false });
  });

  it('fails for a command that does not exist', async () => {
    expect(await runCommand('no-such-command')).toMatchObject({
      status: 'failed',
      result: { return_code: 127, stderr: expect.stringContaining('not found') as string },
    });
  });

  it.each([
    [`printf 'a\\nb\\n\\nc\\n\\n'`, 'a\nb\n\nc\n'],
    [`printf 'a\\r\\n'`, 'a'],
    [`printf 'a\\n\\r'`, 'a\n'],
    [`printf 'a\\377b'`, 'a\uFFFDb'],
    ['echo "žluťoučký 你好 🎉"', 'žluťoučký 你好 🎉'],
    ['seq 1 3000 | tail -n 2; head -c 100000 /dev/zero | tr "\\0" x | wc -c', '2999\n3000\n100000'],
    [`echo '{"a": [1, true, null], "b": {"c": "d"}}'`, { a: [1, true, null], b: { c: 'd' } }],
    [`echo '[1, 2]'`, [1, 2]],
    ['echo 5', 5],
    ['echo null', null],
    [`echo '"text"'`, 'text'],
    [`echo '{bad'`, '{bad'],
    ['echo true story', 'true story'],
    ['echo 12345678901234567890', '12345678901234567890'],
    [`echo '{"id": 12345678901234567890}'`, '{"id": 12345678901234567890}'],
    [`echo '{"id": "12345678901234567890"}'`, { id: '12345678901234567890' }],
    ['echo 1e999', '1e999'],
  ])('returns the output of `%s` as %j', async (cmd, stdout) => {
    expect((await runCommand(cmd)).result['stdout']).toEqual(stdout);
  });

  const data = { maxDepth: 5, maxMembers: 10, maxKeyLength: 8, maxStringLength: 40 };

  it.each([
    ['[[[[[1]]]]]', [[[[[1]]]]]],
    [
      '[[[[[[1]]]]]]',
      '[[[[[[1]]]]]]\n[kept as text: The value at character 5 is nested deeper than 5 levels (limits.max_depth)]',
    ],
    ['[1,2,3,4,5,6,7,8,9,0,1]', expect.stringMatching(/^\[1,.*\]\n\[kept as text: .*\(limits\.max_members\)\]$/)],
    ['{"123456789": 1}', expect.stringMatching(/\[kept as text: .*\(limits\.max_key_length\)\]$/)],
    ['{"a\\u0000b": 1}', expect.stringMatching(/\[kept as text: The value at a.*b has a key with a NUL character\]$/)],
    ['x'.repeat(41), `${'x'.repeat(40)}\n[output truncated: 40 bytes kept (limits.max_string_length)]`],
  ])('returns %s as text with a note when it exceeds a limit', async (output, stdout) => {
    const trial = { settings: { data }, environment: { OUTPUT: output } };
    expect((await runCommand('printf %s "$OUTPUT"', {}, trial)).result['stdout']).toEqual(stdout);
  });

  it('handles output nested a hundred thousand levels deep', async () => {
    const { status, result } = await runCommand(`printf '[%.0s' $(seq 100000); printf ']%.0s' $(seq 100000)`);
    expect(status).toBe('succeeded');
    expect(result['stdout']).toMatch(/^\[{5}.*\]{5}\n\[kept as text: .*\(limits\.max_depth\)\]$/);
  });

  it('detects an inexact number in a large text', async () => {
    const text = `["${'x'.repeat(3_000_000)}", 12345678901234567890]`;
    const cmd = `head -c 3000000 /dev/zero | tr '\\0' x | sed 's/^/["/; s/$/", 12345678901234567890]/'`;
    const trial = { settings: { maxOutputBytes: 10_000_000 } };
    expect((await runCommand(cmd, {}, trial)).result['stdout'] === text).toBe(true);
  });

  it('also parses standard error', async () => {
    expect((await runCommand(`echo '{"e": 1}' >&2`)).result).toMatchObject({ stdout: '', stderr: { e: 1 } });
  });

  it('truncates long output, marks it, and does not parse it', async () => {
    expect(await runCommand('seq 1 100000', {}, { settings: { maxOutputBytes: 4 } })).toMatchObject({
      status: 'succeeded',
      result: { stdout: `1\n2\n${truncationNote(4, 588_895)}` },
      truncated: true,
    });
  });

  it.each([
    ['cwd', 'pwd', { cwd: '/usr' }, '/usr'],
    ['an empty cwd', 'pwd', { cwd: '' }, process.cwd()],
    [
      'env',
      'echo "$MOOD|$COUNT|$LIST|$FLAG"',
      { env: { MOOD: 'wild', COUNT: 2, LIST: ['a', 1], FLAG: true } },
      `wild|2|['a', 1]|True`,
    ],
    ['the service environment', 'echo ${PATH:+path}', {}, 'path'],
    ['both prefixes', 'echo $ST2_ACTION_PACK_NAME $SVC_ACTION_PACK_NAME', {}, 'default default'],
    [
      'the token and the address',
      'echo $ST2_ACTION_AUTH_TOKEN $SVC_ACTION_API_URL',
      {},
      'token http://127.0.0.1:9101/v1',
    ],
    ['no debugging', 'echo $ST2_ACTION_DEBUG', {}, 'False'],
    ['facts that env cannot change', 'echo $ST2_ACTION_PACK_NAME', { env: { ST2_ACTION_PACK_NAME: 'x' } }, 'default'],
    ['an empty standard input', 'cat; echo end', {}, 'end'],
    ['streams that open by path', 'echo x > /dev/stdout', {}, 'x'],
  ])('gives the command %s', async (_name, cmd, parameters, stdout) => {
    expect((await runCommand(cmd, parameters)).result['stdout']).toBe(stdout);
  });

  it('hides the options of the service, including passwords, from its commands', async () => {
    process.env['SVC_DATABASE__PASSWORD'] = 'secret';
    const run = runCommand('echo "<$SVC_DATABASE__PASSWORD>"');
    delete process.env['SVC_DATABASE__PASSWORD'];
    expect((await run).result['stdout']).toBe('<>');
  });

  it('fails in a directory that does not exist', async () => {
    expect(await runCommand('pwd', { cwd: '/no/such/dir' })).toMatchObject({
      status: 'failed',
      result: { failed: true, succeeded: false, error: "No such file or directory: '/no/such/dir'" },
    });
  });

  it.each([
    [
      'an entry point',
      { parameters: { cmd: 'true' }, action: { entry_point: 'a.sh' } },
      'entry_point is only valid for local-shell-script runner',
    ],
    ['no command', {}, 'The action "default.a" has no value for its parameter "cmd".'],
  ])('rejects %s', async (_name, trial, error) => {
    expect(await runTrial({ runner: 'local-shell-cmd', ...trial })).toEqual({
      status: 'failed',
      result: { failed: true, succeeded: false, error },
    });
  });

  it('ends a command on a timeout and keeps its output', async () => {
    const { handle, started } = start('echo before; setsid sleep 60 & sleep 60', { timeout: 1 });
    expect(await handle.result).toEqual({
      status: 'timeout',
      result: {
        failed: true,
        succeeded: false,
        return_code: -9,
        stdout: 'before',
        stderr: '',
        error: 'Action failed to complete in 1 seconds',
      },
      truncated: false,
    });
    expect(isAlive((await started).pid)).toBe(false);
  });

  it('kills a canceled command with all its descendants', async () => {
    const ready = start('setsid sh -c "echo \\$\\$; exec sleep 60" & wait; sleep 60');
    const { pid } = await ready.started;
    await firstOutput(ready);
    ready.handle.cancel();
    ready.handle.cancel();
    const { status, result } = await ready.handle.result;
    expect(status).toBe('canceled');
    expect([pid, Number(result['stdout'])].map(isAlive)).toEqual([false, false]);
  });

  it('does not start a command that is canceled immediately', async () => {
    const { handle, output } = start('echo started');
    handle.cancel();
    expect(await handle.result).toMatchObject({ status: 'canceled' });
    expect(output.stdout).toBe('');
  });

  it('reports the process it started, and passes output on as it arrives', async () => {
    const { handle, started, output } = start(`echo out; printf 'e\\303'; sleep 0.2; printf '\\251'; echo err >&2`);
    expect((await handle.result).status).toBe('succeeded');
    expect(await started).toEqual({
      pid: expect.any(Number) as number,
      startTime: expect.stringMatching(/^\d+$/) as string,
      bootId: expect.stringMatching(/./) as string,
    });
    expect(output).toEqual({ stdout: 'out\neé', stderr: 'err\n', output: '' });
  });

  it('does not report a process that ends within a moment', async () => {
    const started = () => Promise.reject(new Error('not needed'));
    const run = () =>
      startTrial({ runner: 'local-shell-cmd', parameters: { cmd: 'echo out' }, abilities: { started } });
    // A busy machine may need longer for one.
    let ended = await run().handle.result;
    for (let count = 1; count < 20 && ended.status === 'abandoned'; count++) ended = await run().handle.result;
    expect(ended).toMatchObject({ status: 'succeeded', result: { stdout: 'out' } });
  });

  it('abandons a process that the service could not record', async () => {
    const started = () => Promise.reject(new Error('no store'));
    const run = startTrial({ runner: 'local-shell-cmd', parameters: { cmd: 'sleep 60' }, abilities: { started } });
    expect(await run.handle.result).toEqual({
      status: 'abandoned',
      result: {
        failed: true,
        succeeded: false,
        error: 'Failed to store the start of the process: no store',
      },
    });
  });

  it('continues with a warning when its output is not accepted', async () => {
    const output = () => Promise.reject(new Error('full'));
    const run = startTrial({ runner: 'local-shell-cmd', parameters: { cmd: 'echo a' }, abilities: { output } });
    expect(await run.handle.result).toMatchObject({ status: 'succeeded', result: { stdout: 'a' } });
    expect(run.warnings).toEqual(['Output of an execution was not accepted.']);
  });

  it('runs fifty commands concurrently', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const results = await Promise.all(numbers.map((n) => runCommand(`echo ${n}`)));
    expect(results.map(({ result }) => result['stdout'])).toEqual(numbers);
  });
});

/** Waits for the first output of a run by yielding to the event loop. */
async function firstOutput({ output }: { output: { stdout: string } }): Promise<void> {
  while (!output.stdout.includes('\n')) await new Promise(setImmediate);
}
