import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { TOKEN } from '../support/contract-server';

const BIN = resolve(__dirname, '../../../../bin');

let home: string;
let server: ScriptedServer;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-scripts-'));
  server = await startServer();
  server.on('POST /v1/packs/register', () => ({ body: { actions: 3 } }));
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (script: string, words: readonly string[], more: Record<string, string> = {}): Promise<Ended> =>
  new Promise((settle) => {
    const env = { ...process.env, HOME: home, SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN, ...more };
    execFile(join(BIN, script), words, { env }, (error, stdout, stderr) =>
      settle({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
const registrations = () => server.seen.filter(({ path }) => path === '/v1/packs/register').map(({ body }) => body);

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

describe('st2-register-content', () => {
  it.each([
    [['--register-all'], [{ fail_on_failure: true }]],
    [['--register-all', '--register-no-fail-on-failure'], [{}]],
    [
      ['--register-actions', '--register-rules', '--register-fail-on-failure'],
      [{ types: ['actions', 'rules'], fail_on_failure: true }],
    ],
    [
      ['--register-actions', '--register-pack', '/opt/stackstorm/packs/web', '--register-pack=packs/mail/'],
      [{ types: ['actions'], packs: ['web', 'mail'], fail_on_failure: true }],
    ],
    [[], []],
  ])('with %j registers %j', async (words, expected) => {
    expect(await run('st2-register-content', words)).toMatchObject({ code: 0, stderr: '' });
    expect(registrations()).toEqual(expected);
  });

  it('tells which options of StackStorm have no effect', async () => {
    const { code, stderr } = await run('st2-register-content', [
      '--config-file',
      '/etc/st2/st2.conf',
      '--register-all',
      '-v',
    ]);
    expect([code, stderr]).toEqual([
      0,
      'st2-register-content: --config-file is not used: the API reads its own configuration.\n' +
        'st2-register-content: -v is not used: the log of the API has the details.\n',
    ]);
  });

  it.each([[['--register-everything']], [['--register-pack']]])('refuses %j', async (words) => {
    expect(await run('st2-register-content', words)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^st2-register-content: /) as string,
    });
    expect(registrations()).toEqual([]);
  });
});

describe('st2-validate-pack', () => {
  const pack = 'ref: web\nname: web\ndescription: Pages.\nversion: 1.0.0\nauthor: Ada\nemail: ada@example.org\n';
  const action = 'name: get\nrunner_type: local-shell-cmd\nentry_point: ""\nenabled: true\n';

  it('checks a pack without a server, whatever its directory is called', async () => {
    write('stackstorm-web/pack.yaml', pack);
    write('stackstorm-web/actions/get.yaml', action);
    write('stackstorm-web/rules/call.yaml', 'name: call\ntrigger: {type: core.st2.webhook, parameters: {url: web}}\naction: {ref: web.get}\nenabled: true\n'); // oxfmt-ignore
    expect(await run('st2-validate-pack', ['-p', join(home, 'stackstorm-web')])).toMatchObject({ code: 0, stderr: '' });
    expect([server.seen, existsSync(join(home, '.switchyard'))]).toEqual([[], false]);
  });

  it('lists each problem with its file and line', async () => {
    write('web/pack.yaml', pack);
    write('web/actions/get.yaml', action.replace('local-shell-cmd', 'telepathy'));
    write('web/rules/call.yaml', 'name: call\ntrigger: {type: web.nothing}\naction: {ref: web.get}\nenabled: true\n');
    const { code, stdout } = await run('st2-validate-pack', ['--pack-path', join(home, 'web'), '-j']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ severity: 'error', file: 'rules/call.yaml', line: 2, field: 'trigger' }),
      expect.objectContaining({ severity: 'error', file: 'actions/get.yaml', line: 2, field: 'runner_type' }),
    ]);
  });

  it.each([
    ['nowhere', 'ERROR: The path "%" does not exist.\n'],
    ['file', 'ERROR: The path "%" is not a directory.\n'],
    ['.', 'ERROR: There is no pack.yaml in "%".\n'],
  ])('refuses the path "%s"', async (name, message) => {
    write('file', '');
    const path = join(home, name);
    const { code, stderr } = await run('st2-validate-pack', ['-p', path]);
    expect([code, stderr]).toEqual([1, message.replace('%', path)]);
  });

  it.each([[[]], [['-j']]])('needs the directory of a pack: %j', async (words) => {
    const { code, stderr } = await run('st2-validate-pack', words);
    expect([code, stderr, server.seen]).toEqual([2, 'st2-validate-pack: -p DIRECTORY is required.\n', []]);
  });
});

describe('st2-validate-pack-config', () => {
  const paths = () => ['--config-path', join(home, 'web.yaml'), `--schema-path=${join(home, 'web.schema.yaml')}`];

  beforeEach(() => {
    write(
      'web.schema.yaml',
      'port: {type: integer, required: true}\npin: {type: string, secret: true, minLength: 4}\n',
    );
  });

  it('accepts a configuration that fits its schema, and attributes that the schema does not have', async () => {
    write('web.yaml', 'port: "{{ st2kv.system.port }}"\nother: 1\n');
    const { code, stdout, stderr } = await run('st2-validate-pack-config', [
      '-v',
      '--config-file=/etc/st2.conf',
      ...paths(),
    ]);
    expect([code, stdout]).toEqual([0, 'No problems were found.\n']);
    expect(stderr).toBe('st2-validate-pack-config: --config-file is not used: nothing but the two files is read.\n');
    expect(server.seen).toEqual([]);
  });

  it.each([
    ['port: many\n', 'line 1', /port.*'many' is not of type 'integer'/s],
    ['port: 1\npin: abc\n', 'line 2', /'\*{8}'/],
    ['a: [\n', 'no YAML', /web\.yaml/],
    ['- port\n', 'a list', /must contain keys and values/],
  ])('fails for %j: %s', async (text, _, message) => {
    write('web.yaml', text);
    const { code, stdout } = await run('st2-validate-pack-config', paths());
    expect([code, stdout]).toEqual([1, expect.stringMatching(message)]);
    expect(stdout).not.toContain('abc');
  });

  it('fails without one of the files', async () => {
    const { code, stderr } = await run('st2-validate-pack-config', paths());
    expect([code, stderr]).toEqual([1, `ERROR: The path "${join(home, 'web.yaml')}" does not exist.\n`]);
  });

  it('fails for a schema that is invalid', async () => {
    write('web.yaml', 'port: 1\n');
    write('web.schema.yaml', 'port: {type: telepathy}\n');
    const { code, stdout } = await run('st2-validate-pack-config', paths());
    expect([code, stdout]).toEqual([1, expect.stringContaining('telepathy')]);
  });

  it.each([[[]], [['--config-path', 'web.yaml']], [['--again']]])('refuses %j', async (words) => {
    const { code, stderr } = await run('st2-validate-pack-config', words);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^st2-validate-pack-config: /)]);
  });
});

test('st2-rule-tester exits with 1 if a rule does not match', async () => {
  write(
    'rule.yaml',
    'name: r\ntrigger: {type: p.t}\ncriteria: {trigger.n: {type: gt, pattern: 2}}\naction: {ref: core.noop}\n',
  );
  write('event.yaml', 'trigger: p.t\npayload: {n: 1}\n');
  const words = ['--offline', '--rule', join(home, 'rule.yaml'), '--trigger-instance', join(home, 'event.yaml')];
  const { code, stdout } = await run('st2-rule-tester', words);
  expect([code, stdout]).toEqual([1, expect.stringContaining('=== RULE DOES NOT MATCH ===')]);
  const common = ['--config-file', '/etc/st2/st2.conf', '-v', '--config-dir=/etc/st2', '--profile'];
  const again = await run('st2-rule-tester', [...common, ...words]);
  expect([again.code, again.stdout]).toEqual([code, stdout]);
  expect(again.stderr.match(/^st2-rule-tester: \S+ is not used: /gm)).toEqual(
    ['--config-file', '-v', '--config-dir', '--profile'].map((name) => `st2-rule-tester: ${name} is not used: `),
  );
});

describe('st2-trigger-refire', () => {
  it.each([[['-t', 'e1']], [['-v', '--trigger-instance-id=e1']], [['--trigger-instance-id', 'e1', '--verbose']]])(
    'with %j emits the event again',
    async (words) => {
      server.on('POST /v1/triggerinstances/e1/re_emit', () => ({ body: { message: 'Sent again.', payload: {} } }));
      const { code, stdout } = await run('st2-trigger-refire', words);
      expect([code, stdout]).toEqual([0, expect.stringContaining('Sent again.')]);
    },
  );

  it.each([[[]], [['-t']], [['-t', 'e1', '--again']]])('refuses %j', async (words) => {
    const { code, stderr } = await run('st2-trigger-refire', words);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^st2-trigger-refire: /)]);
    expect(server.seen).toEqual([]);
  });
});

describe('st2-purge-KIND', () => {
  const TIME = '2026-01-31T00:00:00.000000Z';

  it.each([
    ['executions', ['--action-ref', 'core.local', '--purge-incomplete'], { action: 'core.local', incomplete: true }],
    ['workflows', ['--purge-incomplete', '-v'], { incomplete: true }],
    ['trigger-instances', ['--verbose'], {}],
    ['rule-enforcements', [], {}],
    ['traces', ['--debug'], {}],
    ['tokens', [], {}],
  ])('%s with %j removes records through the API', async (kind, words, expected) => {
    server.on('POST /v1/purge', () => ({ body: { removed: 3, done: true } }));
    const { code, stdout, stderr } = await run(`st2-purge-${kind}`, ['--timestamp', TIME, ...words]);
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^Deleted 3 /), '']);
    expect(server.seen.map(({ body }) => body)).toEqual([{ kind, before: TIME, ...expected }]);
  });

  it.each([
    [['--config-file', '/etc/st2/st2.conf', `--timestamp=${TIME}`], '--config-file'],
    [[`--timestamp=${TIME}`, '--config-dir=/etc/st2'], '--config-dir'],
    [[`--timestamp=${TIME}`, '--config-dir'], '--config-dir'],
  ])('tells with %j that %s has no effect', async (words, option) => {
    server.on('POST /v1/purge', () => ({ body: { removed: 0, done: true } }));
    expect(await run('st2-purge-traces', words)).toMatchObject({
      code: 0,
      stderr: `st2-purge-traces: ${option} is not used: the API reads its own configuration.\n`,
    });
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['st2-purge-traces', []],
    ['st2-purge-traces', ['--timestamp', TIME, '--purge-incomplete']],
    ['st2-purge', []],
  ])('%s refuses %j', async (script, words) => {
    const { code, stderr } = await run(script, words);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/timestamp|purge-incomplete/)]);
    expect(server.seen).toEqual([]);
  });
});

describe('st2ctl', () => {
  /** What the script asks of systemctl. There is no systemd where tests run, so a program of this name notes its arguments. */
  async function asked(words: readonly string[], enabled: string): Promise<Ended & { units: string }> {
    const [notes, program] = [join(home, 'notes'), join(home, 'path/systemctl')];
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(
      program,
      `#!/bin/sh\nif [ "$1" = is-enabled ]; then [ "$3" = ${enabled} ]; else echo "$@" >>${notes}; fi\n`,
    );
    chmodSync(program, 0o755);
    const ended = await run('st2ctl', words, { PATH: [dirname(program), process.env['PATH']].join(delimiter) });
    return { ...ended, units: existsSync(notes) ? readFileSync(notes, 'utf8').trim() : '' };
  }

  it.each([
    [['restart'], 'switchyard.service', 'restart switchyard.service'],
    [['stop'], 'switchyard-services.target', 'stop switchyard-services.target'],
    [['restart-component', 'st2timersengine'], 'switchyard-services.target', 'restart switchyard@timers.service'],
    [['reopen-log-files', 'st2api'], 'switchyard.service', 'kill --signal=SIGUSR1 --kill-who=main switchyard.service'],
  ])('%j with %s asks systemctl to %s', async (words, enabled, expected) => {
    expect(await asked(words, enabled)).toMatchObject({ code: 0, stderr: '', units: expected });
  });

  it.each([
    [['restart-component', 'st2api'], 'switchyard.service', 1, 'all services run in one process'],
    [['restart-component', 'st2chatops'], 'switchyard-services.target', 1, 'not part of Switchyard'],
    [['restart-component', 'st2nothing'], 'switchyard-services.target', 2, '"st2nothing" is not a component'],
    [['clean'], 'switchyard.service', 1, 'clean is not offered'],
    [['dance'], 'switchyard.service', 2, 'Usage: st2ctl'],
  ])('refuses %j with %s', async (words, enabled, code, message) => {
    expect(await asked(words, enabled)).toMatchObject({
      code,
      stderr: expect.stringContaining(message) as string,
      units: '',
    });
  });

  it('reload registers everything but policies', async () => {
    expect(await asked(['reload'], 'switchyard.service')).toMatchObject({ code: 0, stderr: '' });
    const types = ['runners', 'actions', 'aliases', 'sensors', 'triggers', 'configs', 'rules'];
    expect(registrations()).toEqual([{ types, fail_on_failure: true }]);
  });
});
