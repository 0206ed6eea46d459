import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessOptions, ProcessResult } from '@switchyard/subprocess';
import { isAlive, printedPids } from './processes';
import { describeWays } from './ways';

describeWays('starting a process', (start) => {
  const result = async (options: ProcessOptions): Promise<ProcessResult> => (await start(options)).result;
  const run = (script: string, options: Partial<ProcessOptions> = {}) => result({ command: { script }, ...options });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'subprocess-test-')));
  const missing = join(folder, 'missing');
  const text = join(folder, 'text');
  const inherited = 'SUBPROCESS_TEST_INHERITED';
  beforeAll(() => {
    writeFileSync(text, 'no program\n', { mode: 0o644 });
    process.env[inherited] = 'yes';
  });
  afterAll(() => {
    delete process.env[inherited];
    rmSync(folder, { recursive: true });
  });

  it('returns both outputs and the exit code', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toMatchObject({
      cause: 'exit',
      exitCode: 3,
      signal: null,
      stdout: { text: 'out\n', bytes: 4, truncated: false },
      stderr: { text: 'err\n' },
      survivors: [],
    });
  });

  it.each([
    ['a program with arguments', { file: 'printf', args: ['%s|', 'a b', '$HOME'] }, 'a b|$HOME|'],
    ['a text for the default shell', { script: 'echo "$0"' }, '/bin/sh\n'],
    ['a text for another shell', { script: 'echo ${BASH_VERSION:+bash}', shell: '/bin/bash' }, 'bash\n'],
    ['a text with arguments', { script: 'echo "$0" "$2"', args: ['zero', 'one', 't w o'] }, 'zero t w o\n'],
  ])('runs %s', async (_name, command, text) => {
    expect((await result({ command })).stdout.text).toBe(text);
  });

  it.each<[string, string, Partial<ProcessOptions>, string]>([
    ['the working directory', 'pwd', { cwd: folder }, `${folder}\n`],
    ['the environment of this process', `echo $${inherited}`, {}, 'yes\n'],
    ['another environment, and nothing else', `echo "$WORD-$${inherited}"`, { env: { WORD: 'w' } }, 'w-\n'],
    ['the marker', 'echo $RUN', { marker: { name: 'RUN', value: '7' } }, '7\n'],
    ['standard input', 'cat; echo end', { stdin: 'fed\n' }, 'fed\nend\n'],
    ['an empty standard input', 'cat; echo end', {}, 'end\n'],
    ['an input that is not read', 'true', { stdin: 'x'.repeat(1_000_000) }, ''],
  ])('gives the child %s', async (_name, script, options, text) => {
    expect((await run(script, options)).stdout.text).toBe(text);
  });

  it.each(['echo x > /dev/stderr', 'echo x | tee /dev/stderr > /dev/null', 'echo x > /proc/self/fd/2'])(
    'lets a child open its streams by path: %s',
    async (script) => {
      expect((await run(script)).stderr.text).toBe('x\n');
    },
  );

  it.each<[string, ProcessOptions, object]>([
    [
      'an unknown program',
      { command: { file: 'no-such-program' }, env: { PATH: folder } },
      { code: 'ENOENT', path: 'no-such-program' },
    ],
    ['a file that is not executable', { command: { file: text } }, { code: 'EACCES', path: text }],
    [
      'an unknown working directory',
      { command: { script: 'true' }, cwd: missing },
      { code: 'ENOENT', path: missing, message: `No such file or directory: '${missing}'` },
    ],
    ['a working directory that is a file', { command: { script: 'true' }, cwd: text }, { code: 'ENOTDIR', path: text }],
    ['too long arguments', { command: { file: 'echo', args: ['x'.repeat(3_000_000)] } }, { code: 'E2BIG' }],
    ['an argument with a zero byte', { command: { file: 'echo', args: ['a\0b'] } }, { code: 'ERR_INVALID_ARG_VALUE' }],
  ])('reports %s as data', async (_name, options, spawnError) => {
    const started = await start(options);
    expect(started.identity).toBeUndefined();
    started.end();
    expect(await started.result).toMatchObject({ cause: 'spawn-error', exitCode: null, signal: null, spawnError });
  });

  it('runs a script without an interpreter line in a shell', async () => {
    const file = join(folder, 'plain');
    writeFileSync(file, 'echo plain $1\n', { mode: 0o755 });
    expect((await result({ command: { file, args: ['one'] } })).stdout.text).toBe('plain one\n');
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'distinguishes a process that %s ended from one that timed out',
    async (signal) => {
      expect(await run(`kill -s ${signal.slice(3)} $$`, { timeoutMs: 20_000 })).toMatchObject({
        cause: 'signal',
        exitCode: null,
        signal,
      });
    },
  );

  it('runs fifty at a time without mixing their outputs', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const results = await Promise.all(numbers.map((n) => run(`echo ${n}; echo e${n} >&2; exit ${n}`)));
    expect(results.map(({ exitCode, stdout, stderr }) => [exitCode, stdout.text, stderr.text])).toEqual(
      numbers.map((n) => [n, `${n}\n`, `e${n}\n`]),
    );
  });

  it('does not wait for background processes of a finished run, and leaves them alone', async () => {
    const ended = await run('sleep 60 & echo $!');
    const [pid] = printedPids(ended.stdout.text);
    expect(ended).toMatchObject({ cause: 'exit', exitCode: 0 });
    expect(isAlive(pid!)).toBe(true);
    process.kill(pid!, 'SIGKILL');
  });

  it('gives the child no descriptors of this process', async () => {
    const list = 'ls /proc/self/fd';
    const inherited = spawnSync('sh', ['-c', list], { encoding: 'utf8' }).stdout.split('\n');
    expect(inherited).toEqual(expect.arrayContaining((await run(list)).stdout.text.split('\n')));
  });

  it('starts it in its own session, with the default handling of signals', async () => {
    // The shell reads its own state, because it blocks signals while it starts another program.
    const signals = 'while read -r name value; do case $name in SigBlk:|SigIgn:) echo $name $value;; esac; done';
    const { stdout } = await run(`cut -d ' ' -f 5,6 /proc/$$/stat; echo $$ $$; ${signals} < /proc/$$/status`);
    const [ids, expected, blocked, ignored] = stdout.text.trim().split('\n');
    expect(ids).toBe(expected);
    // The C library ignores two signals of its own, above the first 32.
    expect([blocked, ignored]).toEqual([
      expect.stringMatching(/^SigBlk: .*00000000$/),
      expect.stringMatching(/^SigIgn: .*[08]0000000$/),
    ]);
  });

  it('connects additional descriptors in both directions', async () => {
    const run = await start({ command: { script: 'read -r word <&3; echo "$word back" >&4' }, channels: 2 });
    const [into, out] = run.channels;
    into!.end('there\n');
    let text = '';
    for await (const chunk of out!) text += String(chunk);
    expect([text, (await run.result).exitCode]).toEqual(['there back\n', 0]);
  });
});
