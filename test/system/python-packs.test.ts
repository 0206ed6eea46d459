import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { deferred } from '@switchyard/base';
import { createClient, type Client, type Execution } from '@switchyard/client';
import { login, type ApiCaller } from './api-caller';
import { ROOT, startSystem, type SystemProcess } from './system-process';

const MINUTES = 60_000;
const OWN_PACKS = join(ROOT, 'test/packs');

const python = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;
if (!python && process.env['CI'] === 'true') throw new Error('There is no python3 with venv, and CI requires it.');
if (!python) process.stderr.write('There is no python3 with venv on the PATH: tests of Python packs are left out.\n');
const describePython = python ? describe : describe.skip;

interface Ended extends Execution {
  // Results of any shape, so that tests need no casts.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  result: any;
}

describePython('packs in Python', () => {
  let directory: string;
  let system: SystemProcess;
  let caller: ApiCaller;
  let client: Client;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'svc-python-packs-'));
    mkdirSync(join(directory, 'configs'));
    writeFileSync(
      join(directory, 'configs/translator.yaml'),
      'token: "{{ st2kv.system.translator_token }}"\nserver:\n  host: far.example.org\n',
    );
    writeFileSync(join(directory, 'configs/beacon.yaml'), `spool: ${join(directory, 'spool')}\n`);
    system = await startSystem({
      directory,
      config: `[packs]\nenable_common_libs = True\n[content]\npacks_base_paths = ${OWN_PACKS}\n`,
    });
    caller = await login(system.api, system.auth);
    client = await clientOf(system);
    const key = { name: 'translator_token', value: 'open sesame', secret: true };
    expect((await caller.call('PUT', '/v1/keys/translator_token', key)).status).toBe(200);
  }, 2 * MINUTES);

  afterAll(async () => {
    caller?.close();
    await system?.stop();
    if (directory) rmSync(directory, { recursive: true, force: true });
  });

  it('are registered without a problem', async () => {
    const packs = ['translator', 'beacon', 'toolbox'];
    const { status, body } = await caller.call('POST', '/v1/packs/register', { packs });
    expect([status, body]).toEqual([200, expect.objectContaining({ actions: 6, sensors: 1, rules: 1 })]);
  });

  async function run(action: string, parameters: Record<string, unknown> = {}): Promise<Ended> {
    const { id } = await client.executions.create({ action, parameters });
    return (await client.executions.wait(id)) as Ended;
  }

  it.each([
    [{ way: 'value', value: 'v' }, 'succeeded', 'v'],
    [{ way: 'success', value: 'v' }, 'succeeded', 'v'],
    [{ way: 'failure', value: 'v' }, 'failed', 'v'],
    [{ way: 'object' }, 'succeeded', expect.stringContaining('object object at')],
  ])(
    'what %j returns is %s',
    async (parameters, status, result) => {
      const ended = await run('toolbox.ending', parameters);
      expect([ended.status, ended.result.result]).toEqual([status, result]);
      expect(ended.result.stdout).toContain('printed before the end');
      expect(ended.result.stderr).toMatch(/actions\.python\.Ending: INFO\s+ends by/);
    },
    MINUTES,
  );

  it.each([
    ['raise', 1, 'RuntimeError: no way on: v'],
    ['exit', 3, ''],
    ['strange', 220, ''],
  ])(
    'one that ends by %s fails with code %i',
    async (way, code, text) => {
      const { status, result } = await run('toolbox.ending', { way, value: 'v' });
      expect([status, result.exit_code]).toEqual(['failed', code]);
      expect(result.stderr).toContain(text);
    },
    MINUTES,
  );

  it(
    'use the action class among several classes',
    async () => {
      expect((await run('toolbox.several', { numbers: [1, 2, 3] })).result.result).toBe(6);
    },
    MINUTES,
  );

  it(
    'store items in the datastore',
    async () => {
      const { result } = await run('toolbox.remember', { name: 'word', value: 'kept' });
      expect(result.result).toEqual({
        own: 'kept',
        shared: 'kept',
        hidden: 'kept',
        missing: null,
        names: ['toolbox.Remember:word', 'toolbox.Remember:word.hidden'],
        user: 'testu',
        deleted: true,
        after: null,
      });
    },
    MINUTES,
  );

  it(
    'share their directory lib between sensors and actions, which rules connect',
    async () => {
      const connected = deferred<void>();
      const answers = client.events({
        events: ['st2.execution__update'],
        actionRefs: ['beacon.answer'],
        onConnected: connected.resolve,
      });
      const ended = firstEnded(answers);
      await connected.promise;
      appendFileSync(join(directory, 'spool'), 'mountain-1\nhill-7\n');
      expect(await ended).toMatchObject({
        status: 'succeeded',
        parameters: { name: 'hill-7', height: 200 },
        result: { result: 'hill-7 answers' },
      });
    },
    2 * MINUTES,
  );

  describe('with requirements', () => {
    it(
      'report missing packages',
      async () => {
        const { status, result } = await run('translator.describe');
        expect([status, JSON.stringify(result)]).toEqual(['failed', expect.stringMatching(/virtual environment/i)]);
      },
      MINUTES,
    );

    it(
      'work once they are set up',
      async () => {
        const { status, body } = await caller.call('POST', '/v1/packs/register', {
          packs: ['translator', 'toolbox', 'linux', 'default'],
          types: [],
          setup_virtualenvs: true,
        });
        if (status === 400 && /Could not find a version|No matching distribution|Retrying/.test(body.faultstring)) {
          process.stderr.write('No package index is available: skipping the test of requirements.\n');
          return;
        }
        expect([status, body]).toEqual([200, { virtualenvs: 2 }]);
        expect(existsSync(join(directory, 'virtualenvs/translator/bin/python'))).toBe(true);
        const again = await run('packs.setup_virtualenv', { packs: ['translator'], update: true });
        expect(again.result.stderr).toContain('translator: the virtual environment is up to date');
        const { result } = await run('translator.translate', { text: 'hello big world' });
        expect(result.result).toEqual({ text: 'ahoj big svete', by: '11@north', at: 'far.example.org:8080' });
        expect((await run('translator.translate', { text: 'oh', strict: true })).status).toBe('failed');
        expect((await run('translator.describe')).result.result).toEqual({
          region: 'north',
          server: { host: 'far.example.org', port: 8080 },
        });
        expect((await run('toolbox.several', { numbers: ['4', 5] })).result.result).toBe(9);
      },
      5 * MINUTES,
    );
  });

  describe('that are shipped', () => {
    it(
      'create identifiers, wait, and dispatch triggers',
      async () => {
        expect((await run('core.uuid')).result.result).toMatch(/^[0-9a-f]{8}-/);
        expect((await run('core.pause', { max_pause: 0, random: true })).result.result).toBe(0);
        const injected = { trigger_name: 'beacon.lit', payload: { name: 'sea', height: 0 }, trace_tag: 'tide' };
        expect((await run('core.inject_trigger', injected)).result.result).toMatchObject({ trigger: 'beacon.lit' });
        for (const [parameters, reason] of [
          [{ payload: {} }, 'You must include the `trigger_name` parameter.'],
          [{ trigger: 'a.b', trigger_name: 'a.b' }, 'Parameters `trigger` and `trigger_name` are mutually exclusive.'],
        ] as const) {
          const { status, result } = await run('core.inject_trigger', parameters);
          expect([status, result.stderr]).toEqual(['failed', expect.stringContaining(reason)]);
        }
      },
      2 * MINUTES,
    );

    it(
      'watch files',
      async () => {
        const file = join(directory, 'watched.log');
        writeFileSync(file, 'before\n');
        const rule = {
          name: 'watch_lines',
          pack: 'default',
          enabled: true,
          trigger: { type: 'linux.file_watch.line', parameters: { file_path: file } },
          action: { ref: 'core.echo', parameters: { message: '{{ trigger.file_name }}: {{ trigger.line }}' } },
        };
        const connected = deferred<void>();
        const events = client.events({
          events: ['st2.execution__update'],
          actionRefs: ['core.echo'],
          onConnected: connected.resolve,
        });
        const ended = firstEnded(events);
        await connected.promise;
        expect((await caller.call('POST', '/v1/rules', rule)).status).toBe(201);
        // The sensor starts at the end of the file when it receives the trigger, so this appends lines until it reports
        // one.
        const writing = setInterval(() => appendFileSync(file, 'a line\n'), 300);
        const { result } = (await ended.finally(() => clearInterval(writing))) as Ended;
        expect(result.stdout).toBe('watched.log: a line');
      },
      2 * MINUTES,
    );

    it(
      'format executions as chat messages, and post them',
      async () => {
        const { id } = await run('core.echo', { message: 'good news' });
        const formatted = await run('chatops.format_execution_result', { execution_id: id });
        expect(formatted.result.result).toEqual({
          enabled: true,
          message: expect.stringMatching(/^core\.echo: succeeded.*\ngood news$/),
        });
        const { message } = formatted.result.result;
        const payload = await announced('st2.announcement__chatops', () =>
          run('chatops.post_message', { channel: 'general', message, user: 'ada' }),
        );
        expect(payload).toMatchObject({ channel: 'general', message, user: 'ada', whisper: false });
      },
      2 * MINUTES,
    );

    it(
      'post the result of an execution on the route of the requesting bot',
      async () => {
        const notify = {
          'on-complete': {
            message: 'done',
            routes: ['errbot'],
            data: { user: 'ada', source_channel: 'general', source_context: { thread: 7 } },
          },
        };
        const payload = await announced('st2.announcement__errbot', () =>
          caller.call('POST', '/v1/executions', { action: 'core.echo', parameters: { message: 'loud' }, notify }),
        );
        expect(payload).toMatchObject({
          channel: 'general',
          user: 'ada',
          context: { thread: 7 },
          message: expect.stringMatching(/\nloud$/),
        });
      },
      2 * MINUTES,
    );

    /** The payload of the announcement that an operation causes. */
    async function announced(event: string, act: () => Promise<unknown>): Promise<unknown> {
      const connected = deferred<void>();
      const events = client.events({ events: [event], onConnected: connected.resolve });
      const next = events.next();
      await connected.promise;
      await act();
      const { value } = await next;
      await events.return();
      return (value as { data: { payload: unknown } }).data.payload;
    }

    it(
      'install packs with their dependencies',
      async () => {
        const upper = join(directory, 'upper');
        const lower = join(directory, 'lower');
        writePack(upper, '2.0.0', `dependencies:\n  - file://${lower}=1.0.0\n`);
        writePack(lower, '1.0.0');
        commit(lower, 'v1.0.0');
        const { status, result } = await run('packs.install', { packs: [`file://${upper}`] });
        expect([status, result.output]).toEqual([
          'succeeded',
          {
            packs_list: ['lower', 'upper'],
            message: 'Successfully installed packs',
            conflict_list: [],
            warning_list: [],
          },
        ]);
        expect((await caller.call('GET', '/v1/packs/lower')).body.version).toBe('1.0.0');
        writePack(upper, '2.1.0', `dependencies:\n  - file://${lower}=9.0.0\n`);
        const conflict = await run('packs.install', { packs: [`file://${upper}`] });
        expect([conflict.status, conflict.result.output.conflict_list]).toEqual(['failed', [`file://${lower}=9.0.0`]]);
        expect(existsSync(join(directory, 'packs/upper'))).toBe(false);
        writePack(upper, '2.2.0', `dependencies:\n  - file://${directory}/missing\n`);
        for (const [pack, message] of [
          [upper, 'Dependencies of the packs could not be downloaded.'],
          [join(directory, 'missing'), 'The packs could not be downloaded.'],
        ] as const) {
          const failed = await run('packs.install', { packs: [`file://${pack}`] });
          expect([failed.status, failed.result.output.message]).toEqual(['failed', message]);
          expect(existsSync(join(directory, 'packs/upper'))).toBe(false);
        }
      },
      5 * MINUTES,
    );

    it(
      'report in one line why a pack cannot be installed, with the output of pip in the task',
      async () => {
        const failing = join(directory, 'failing');
        writePack(failing, '1.0.0');
        writeFileSync(join(failing, 'requirements.txt'), '-r nowhere.txt\n');
        const { status, result } = await run('packs.install', { packs: [`file://${failing}`] });
        const reason =
          'The virtual environment of the pack "failing" cannot be set up: the requirements name the file nowhere.txt, which does not exist';
        expect([status, result.output.message]).toEqual(['failed', reason]);
        const [error] = result.errors;
        expect(error.result.result.split('\n')).toEqual(
          expect.arrayContaining([reason, expect.stringContaining('ERROR: Could not open requirements file')]),
        );
        expect(error.result.stderr).not.toContain('Traceback');
      },
      2 * MINUTES,
    );

    it(
      'continue where they stopped when the installation is repeated',
      async () => {
        const [lower, upper] = [join(directory, 'a_lower'), join(directory, 'an_upper')];
        for (const pack of [lower, upper]) {
          writePack(pack, '1.0.0', pack === upper ? `dependencies:\n  - file://${lower}\n` : '');
          writeFileSync(join(pack, 'actions/run.py'), 'class Run:\n    pass\n');
        }
        writeFileSync(join(upper, 'requirements.txt'), '-r nowhere.txt\n');
        const environment = (pack: string) => join(directory, 'virtualenvs', basename(pack));
        const stopped = await run('packs.install', { packs: [`file://${upper}`] });
        expect([stopped.status, existsSync(environment(upper))]).toEqual(['failed', false]);
        const made = readlinkSync(environment(lower));
        rmSync(join(upper, 'requirements.txt'));
        const { status } = await run('packs.install', { packs: [`file://${upper}`] });
        expect([status, existsSync(environment(upper))]).toEqual(['succeeded', true]);
        expect(readlinkSync(environment(lower))).toBe(made);
      },
      5 * MINUTES,
    );

    it(
      'download packs from repositories and directories, load and remove them',
      async () => {
        const source = join(directory, 'fetched');
        writePack(source, '1.0.0');
        commit(source, 'v1.0.0');
        writePack(source, '1.1.0');
        commit(source, 'v1.1.0');
        const fetched = await run('packs.download', { packs: [`file://${source}=1.0.0`, 'file:///nowhere'] });
        expect(fetched.result.result).toEqual({
          fetched: 'Success.',
          'file:///nowhere': 'Failure : There is no directory "/nowhere".',
        });
        expect((await run('packs.load', { packs: ['fetched'], register: 'actions' })).result.result).toMatchObject({
          actions: 1,
        });
        expect((await caller.call('GET', '/v1/packs/fetched')).body.version).toBe('1.0.0');
        expect((await run('packs.get', { pack: 'fetched' })).result.result).toMatchObject({
          pack: { version: '1.0.0' },
          git_status: expect.stringContaining('Changed:\nnothing'),
        });
        const wrong = await run('packs.download', { packs: [`file://${source}=7.0.0`] });
        expect([wrong.status, JSON.stringify(wrong.result.result)]).toEqual([
          'failed',
          expect.stringContaining('Versions: 1.0.0, 1.1.0.'),
        ]);
        const base = join(directory, 'packs');
        expect((await run('packs.get_config')).result.result).toMatchObject({ pack_path: base });
        const refused = await run('packs.delete', { packs: ['fetched', 'core'] });
        expect([refused.status, existsSync(join(base, 'fetched'))]).toEqual(['failed', true]);
        expect((await run('packs.delete', { packs: ['fetched'] })).status).toBe('succeeded');
        expect(existsSync(join(base, 'fetched'))).toBe(false);
      },
      3 * MINUTES,
    );
  });
});

async function clientOf({ api, auth, stream }: SystemProcess): Promise<Client> {
  const options = { apiUrl: `${api}/v1`, authUrl: auth, streamUrl: `${stream}/v1` };
  const { token } = await createClient(options).tokens.create({ user: 'testu', password: 'testp' });
  return createClient({ ...options, token });
}

async function firstEnded(events: AsyncGenerator<{ data: unknown }, void>): Promise<Execution> {
  for await (const { data } of events) {
    const execution = data as Execution;
    if (execution.end_timestamp !== undefined) return execution;
  }
  throw new Error('the stream has ended');
}

/** A pack named after its directory. */
function writePack(directory: string, version: string, more = ''): void {
  mkdirSync(join(directory, 'actions'), { recursive: true });
  const name = basename(directory);
  const fields = [`ref: ${name}`, `name: ${name}`, 'description: Comes from afar.', 'author: Somebody'];
  writeFileSync(join(directory, 'pack.yaml'), `${fields.join('\n')}\nversion: ${version}\n${more}`);
  writeFileSync(join(directory, 'actions/nothing.yaml'), 'name: nothing\nrunner_type: noop\n');
}

function commit(directory: string, tag: string): void {
  const git = (...words: string[]) => {
    const who = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@example.invalid'];
    const { status, stderr } = spawnSync('git', [...who, ...words], { cwd: directory, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  if (!existsSync(join(directory, '.git'))) git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', tag);
  git('tag', tag);
}
