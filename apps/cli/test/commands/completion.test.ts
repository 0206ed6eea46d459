import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandTable, svcBatch } from '../support/command-table';
import { svc } from '../support/run-svc';
import { missingShell, typeIntoShell } from '../support/shell-terminal';

const groups = commandTable();
const ask = async (...lines: string[][]): Promise<string[][]> =>
  (await svcBatch(lines.map((words) => ['completion', 'bash', '--', ...words]))).map(({ stdout }) =>
    stdout.split('\n').filter((line) => line !== ''),
  );

describe('svc completion', () => {
  test('offers every command', async () => {
    const [first, ...below] = await ask([''], ...groups.map(({ name }) => [name, '']));
    expect(first).toEqual([...groups.map(({ name }) => name), 'help']);
    for (const [index, { name, commands }] of groups.entries()) {
      if (commands[0]?.path === name) continue;
      const words = new Set(commands.map(({ path }) => path.split(' ')[1]));
      expect(below[index]).toEqual([...words, 'help']);
    }
    expect(await ask(['service-registry', 'member', ''])).toEqual([['list', 'help']]);
  });

  test('offers every option of every command and of the program', async () => {
    const commands = groups.flatMap((group) => group.commands);
    const offered = await ask(...commands.map(({ path }) => [...path.split(' '), '--']));
    for (const [index, { options }] of commands.entries())
      expect(offered[index]).toEqual(expect.arrayContaining([...options, '--api-url', '--debug', '--help']));
  });

  test.each([
    [['exec'], ['execution']],
    [['--url', 'http://x', 'exec'], ['execution']],
    [
      ['execution', 'list', '--sort', 'd'],
      ['desc', 'descending'],
    ],
    [
      ['execution', 'list', '--sort=a'],
      ['--sort=asc', '--sort=ascending'],
    ],
    [['execution', 'list', '--no'], []],
    [['nosuch', ''], []],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['action', 'create', ''], [':files']],
    [['--config-file', ''], [':files']],
    [['run', 'core.local', '@cmd='], [':files']],
    [['run', 'core.local', 'cmd='], []],
    [['run', 'core.local', '--', '--ta'], []],
    [
      ['execution', 'get', '--attr', 'id', 'status', '--de'],
      ['--detail', '--depth', '--debug'],
    ],
  ])('continues %j with %j', async (words, expected) => {
    expect(await ask(words)).toEqual([expected]);
  });

  test('rejects other shells', async () => {
    const { code, stderr } = await svc(['completion', 'tcsh'], {});
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish.')]);
  });
});

/** Typed text with tabs, and the words that the shell completes it to. */
const TYPED: [string, string[]][] = [
  ['svc who\t', ['svc', 'whoami']],
  ['svc exec\tlis\t--showa\t', ['svc', 'execution', 'list', '--showall']],
  ['./bin/svc execution list --sort=desce\t', ['./bin/svc', 'execution', 'list', '--sort=descending']],
  ['svc --url=http://x:1 whoa\t', ['svc', '--url=http://x:1', 'whoami']],
  ['svc action create defi\t', ['svc', 'action', 'create', 'definition.yaml']],
  ['svc rule test --rule=defi\t', ['svc', 'rule', 'test', '--rule=definition.yaml']],
  ['svc run core.local @cmd=defi\t', ['svc', 'run', 'core.local', '@cmd=definition.yaml']],
];

describe('on a terminal', () => {
  let directory: string;
  const path = () => `${join(directory, 'bin')}:${process.env['PATH'] ?? ''}`;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'svc-completion-'));
    mkdirSync(join(directory, 'bin'));
    const program = join(directory, 'bin/svc');
    const main = join(__dirname, '../../dist/main.js');
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    chmodSync(program, 0o755);
    writeFileSync(join(directory, 'definition.yaml'), '');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  test.each([
    ['bash', 'source <(svc completion bash)'],
    ['zsh', 'autoload -U compinit; compinit -u -D; source <(svc completion zsh)'],
  ] as const)('%s completes typed words', async (shell, setup) => {
    if (isMissing(shell)) return;
    const texts = TYPED.map(([text]) => text);
    const words = await typeIntoShell(shell, texts, { directory, setup, path: path() });
    expect(words).toEqual(TYPED.map(([, expected]) => expected));
  });

  test('zsh also loads it from its functions directory', async () => {
    if (isMissing('zsh')) return;
    mkdirSync(join(directory, 'functions'));
    writeFileSync(join(directory, 'functions/_svc'), (await svc(['completion', 'zsh'], {})).stdout);
    const setup = 'fpath=(functions $fpath); autoload -U compinit; compinit -u -D';
    const words = await typeIntoShell('zsh', ['svc who\t', 'svc exec\tli\t'], { directory, setup, path: path() });
    expect(words).toEqual([
      ['svc', 'whoami'],
      ['svc', 'execution', 'list'],
    ]);
  });

  test('fish completes typed words', () => {
    if (isMissing('fish')) return;
    for (const [text, words] of TYPED) {
      // Fish can print the completions of a line; this is the completion of its last word.
      const line = text.replace('exec\tlis\t', 'execution list ').replaceAll('\t', '');
      const program = `svc completion fish | source; complete -C '${line}'`;
      const env = { PATH: path(), HOME: directory };
      const { stdout } = spawnSync('fish', ['-N', '-c', program], { cwd: directory, env, encoding: 'utf8' });
      expect(stdout.split('\n').map((each) => each.split('\t')[0])).toContain(words.at(-1));
    }
  });
});

/** Reports a skipped test in one line. It is an error where all tests are required. */
function isMissing(shell: string): boolean {
  const missing = missingShell(shell);
  if (missing === undefined) return false;
  if (process.env['SVC_TEST_SERVERS'] === 'required') throw new Error(`${missing} is needed for these tests.`);
  console.warn(`Skipped: completion in ${shell}, because ${missing} is not installed.`);
  return true;
}
