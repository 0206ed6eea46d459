import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { deferred } from '@switchyard/base';
import { truncationNote } from '@switchyard/subprocess';
import { isAlive } from '../processes';
import type { Trial } from '../runner-fixture';
import { describePython, EVERY_COMMAND_LINE, PythonPack } from './python-pack';

describePython.each([
  ['a warm worker', true],
  ['an interpreter of its own', false],
])('a Python action in %s', (_, warmWorkers) => {
  const pack = new PythonPack({ warmWorkers });
  afterAll(() => pack.remove());

  it.each<[string, string, unknown]>([
    ['return {"a": [1, None]}', 'succeeded', { a: [1, null] }],
    ['return "text"', 'succeeded', 'text'],
    ['return None', 'succeeded', null],
    ['pass', 'succeeded', null],
    ['return 0', 'succeeded', 0],
    ['return (1, 2, 3)', 'succeeded', [1, 2, 3]],
    ['return [True, 5]', 'succeeded', [true, 5]],
    ['return (True, {"a": 1})', 'succeeded', { a: 1 }],
    ['return (False, "refused")', 'failed', 'refused'],
    ['return (None, 7)', 'succeeded', 7],
    ['return {"key": 1 + 2j}', 'succeeded', { key: '(1+2j)' }],
    ['return {"key": object}', 'succeeded', "{'key': <class 'object'>}"],
    ['return (False, {1, })', 'failed', '{1}'],
    ['return {"a": float("nan"), "b": 1e400}', 'succeeded', { a: null, b: null }],
    ['return {"id": 12345678901234567890, "n": 5}', 'succeeded', { id: '12345678901234567890', n: 5 }],
    ['return "ž\\ud83c\\udf89\\n".encode("utf-16", "surrogatepass").decode("utf-16")', 'succeeded', 'ž🎉\n'],
    ['return "x" * 3000000', 'succeeded', 'x'.repeat(3_000_000)],
  ])('with the body `%s` has the status %s', async (body, status, result) => {
    expect(await pack.run(body)).toEqual({
      status,
      result: { stdout: '', stderr: '', exit_code: 0, result },
      truncated: false,
    });
  });

  it.each([
    ['return [[[[[1]]]]]', [[[[[1]]]]]],
    [
      'return (False, [[[[[[1]]]]]])',
      '[[[[[[1]]]]]]\n[kept as text: The value at character 5 is nested deeper than 5 levels (limits.max_depth)]',
    ],
    ['return list(range(11))', expect.stringMatching(/^\[0, ?1,.*\]\n\[kept as text: .*limits\.max_members\)\]$/)],
    ['return {"a" + chr(0): 1}', expect.stringMatching(/\[kept as text: .* has a key with a NUL character\]$/)],
    ['return "x" * 41', `${'x'.repeat(40)}\n[output truncated: 40 bytes kept (limits.max_string_length)]`],
  ])('with the body `%s` returns text with a note when the result exceeds a limit', async (body, result) => {
    const data = { maxDepth: 5, maxMembers: 10, maxKeyLength: 8, maxStringLength: 40 };
    const ended = await pack.run(body, { settings: { data } });
    expect(ended.status).toBe(body.includes('False') ? 'failed' : 'succeeded');
    expect(ended.result['result']).toEqual(result);
  });

  it.each<[string, string, number, RegExp]>([
    [
      'raise ValueError("no good")',
      'failed',
      1,
      /^Traceback[^]*File ".*actions\/action_\d+.py"[^]*ValueError: no good\n$/,
    ],
    ['sys.exit(6)', 'failed', 6, /^$/],
    ['sys.exit("reason")', 'failed', 1, /^reason\n$/],
    ['sys.exit()', 'succeeded', 0, /^$/],
    ['os._exit(0)', 'succeeded', 0, /^$/],
    ['os.kill(os.getpid(), 9)', 'failed', -9, /^$/],
    ['os.kill(os.getpid(), 15)', 'failed', -15, /^$/],
    ['raise KeyboardInterrupt()', 'failed', 1, /KeyboardInterrupt/],
  ])('with the body `%s` has the status %s, the exit code %i and no result', async (body, status, code, stderr) => {
    expect(await pack.run(body)).toEqual({
      status,
      result: { stdout: '', stderr: expect.stringMatching(stderr) as string, exit_code: code, result: 'None' },
      truncated: false,
    });
  });

  it('fails when it returns a pair without a truth value', async () => {
    const { status, result } = await pack.run('return ("yes", 5)');
    expect({ status, code: result['exit_code'] }).toEqual({ status: 'failed', code: 220 });
    expect(result['error']).toMatch('must either be True or False, got: yes');
  });

  it('fails when it succeeds but its process fails', async () => {
    const { status, result } = await pack.run('import atexit; atexit.register(os._exit, 3); return (True, "done")');
    expect([status, result]).toMatchObject(['failed', { exit_code: 3, result: 'done' }]);
  });

  it.each<[string, string, RegExp]>([
    ['no class', 'class Other: pass\n', /: Found no classes in plugin file ".*broken.py" matching requirements.$/m],
    [
      'a class from elsewhere',
      'from st2common.runners.base_action import Action\n',
      /: Found no classes in plugin file/,
    ],
    ['no syntax', 'class Weed(\n', /: .*line 1\)\n[^]*File ".*broken.py", line 1[^]*SyntaxError/],
    ['a missing import', 'import nothing_of_that_name\n', /: No module named '.*'\n[^]*ModuleNotFoundError/],
  ])('fails when its file has %s', async (_name, text, stderr) => {
    pack.write('actions/broken.py', text);
    const { status, result } = await pack.start('broken.py').handle.result;
    expect(status).toBe('failed');
    expect(result['stderr']).toMatch(
      /^Failed to load action class from file ".*broken.py" \(action file most likely doesn't exist or contains invalid syntax\): /,
    );
    expect(result['stderr']).toMatch(stderr);
  });

  it.each<[string, RegExp]>([
    ['missing.py', /^Failed to load action class from file ".*" \(.*\): .*No such file[^]*FileNotFoundError/],
    ['shell.sh', /must end in .py/],
  ])('fails for the file %s', async (file, stderr) => {
    expect((await pack.start(file).handle.result).result['stderr']).toMatch(stderr);
  });

  it('is refused without an entry point', async () => {
    const { status, result } = await pack.start('').handle.result;
    expect([status, result['error']]).toEqual(['failed', 'Action "weed" is missing entry_point attribute']);
  });

  it('runs the first action class by name', async () => {
    pack.write(
      'actions/several.py',
      'class C:\n  def run(self): return "c"\n  def __init__(self, config): pass\nclass A: pass\nclass B(C):\n  def run(self): return "b"\n',
    );
    expect((await pack.start('several.py').handle.result).result).toMatchObject({ result: 'b' });
  });

  const SERVICE = 'return type(self.action_service).__name__ + str(sorted(self.config))';
  it.each([
    ['of its own', ''],
    [
      'that takes both',
      '    def __init__(self, config=None, action_service=None):\n        super().__init__(config=config, action_service=action_service)\n',
    ],
    ['that takes anything', '    def __init__(self, *args, **more):\n        super().__init__(*args, **more)\n'],
    ['without an action service', '    def __init__(self, config):\n        super().__init__(config)\n'],
  ])('can have a constructor %s', async (_name, constructor) => {
    const text = `from svccommon.runners.base_action import Action\nclass A(Action):\n${constructor}    def run(self):\n        ${SERVICE}\n`;
    pack.write('actions/constructed.py', text);
    const abilities = { packConfig: async () => ({ door: 1 }) };
    const { result } = await pack.start('constructed.py', { abilities }).handle.result;
    expect(result).toMatchObject({ stderr: '', result: "ActionService['door']" });
  });

  it('receives its parameters by name, and the configuration of its pack', async () => {
    const abilities = { packConfig: async () => ({ door: { color: 'green' } }) };
    const actionParameters = { text: 'ü', several: [1, 'a', null], none: null };
    const body = 'return [given, self.config["door"], self.config.get("window")]';
    const { result } = await pack.run(body, { actionParameters, abilities });
    expect(result['result']).toEqual([actionParameters, { color: 'green' }, null]);
  });

  it('receives numbers as floats, and integers as integers', async () => {
    const parameters = { part: { type: 'number' }, none: { type: 'number' }, whole: { type: 'integer' } };
    const actionParameters = { part: 1, none: null, whole: 1 };
    const body = 'return {name: repr(value) for name, value in given.items()}';
    const { result } = await pack.run(body, { actionParameters, action: { parameters } });
    expect(result['result']).toEqual({ part: '1.0', none: 'None', whole: '1' });
  });

  it('names the file in which a missing configuration key was expected', async () => {
    const { status, result } = await pack.run('return self.config["window"]');
    expect(status).toBe('failed');
    expect(result['stderr']).toContain(
      `ValueError: Config for pack "garden" is missing key "window". Make sure that config file "${join(pack.root, 'configs/garden.yaml')}" exists`,
    );
  });

  it.each([
    ['DEBUG', 'DEBUG    fine\nst2.actions.python.Weed: INFO     so far\nst2.actions.python.Weed: AUDIT    last\n'],
    ['INFO', 'INFO     so far\nst2.actions.python.Weed: AUDIT    last\n'],
    ['AUDIT', 'AUDIT    last\n'],
  ])('logs to standard error from the level %s upwards', async (log_level, stderr) => {
    const body = 'self.logger.debug("fine"); self.logger.info("so %s", "far"); self.logger.audit("last")';
    const { result } = await pack.run(body, { parameters: { log_level } });
    expect(result['stderr']).toBe(`st2.actions.python.Weed: ${stderr}`);
  });

  it('prints to standard output, which is kept unchanged', async () => {
    const { result } = await pack.run(
      'print("{}"); sys.stderr.write("aside\\n"); print("žluť"); subprocess.run(["echo", "child"])',
    );
    expect(result).toMatchObject({ stdout: '{}\nžluť\nchild\n', stderr: 'aside\n' });
  });

  it('can open its streams by path, and has an empty standard input', async () => {
    const body = 'subprocess.run("echo x > /dev/stderr; cat", shell=True, check=True); return sys.stdin.read()';
    expect((await pack.run(body)).result).toMatchObject({ stdout: '', stderr: 'x\n', result: '' });
  });

  it('keeps the start of a long output, and passes all of it on', async () => {
    const trial = { settings: { maxOutputBytes: 4 } };
    const { handle, output } = pack.start(pack.action('print("y" * 999999)'), trial);
    expect(await handle.result).toMatchObject({
      status: 'succeeded',
      result: { stdout: `yyyy${truncationNote(4, 1_000_000)}` },
      truncated: true,
    });
    expect(output.stdout).toHaveLength(1_000_000);
  });

  it('passes output on while it runs', async () => {
    const seen = deferred();
    const abilities = { output: () => seen.resolve() };
    const gate = join(pack.root, `gate-${warmWorkers}`);
    const body = `print("one")\nwhile not os.path.exists(${JSON.stringify(gate)}): time.sleep(0.01)\nprint("two")`;
    const { handle } = pack.start(pack.action(body), { abilities });
    await seen.promise;
    mkdirSync(gate);
    expect((await handle.result).result['stdout']).toBe('one\ntwo\n');
  });

  it.each<[string, string, Partial<Trial>, unknown]>([
    ['its facts', 'return os.environ["ST2_ACTION_PACK_NAME"]', {}, 'default'],
    [
      'the API',
      'return [os.environ[p + "_API_URL"] for p in ("ST2", "SVC")]',
      {},
      ['http://127.0.0.1:9101/v1', 'http://127.0.0.1:9101/v1'],
    ],
    ['a token', 'return os.environ["ST2_AUTH_TOKEN"] + os.environ["SVC_ACTION_AUTH_TOKEN"]', {}, 'tokentoken'],
    [
      'the variables in env',
      'return os.environ["N"] + os.environ["MOOD"]',
      { parameters: { env: { N: 2, MOOD: 'wild' } } },
      '2wild',
    ],
    ['a time zone', 'return time.tzname[0]', { parameters: { env: { TZ: 'XYZ-1' } } }, 'XYZ'],
    [
      'the options of its interpreter',
      'return sys.flags.dont_write_bytecode',
      { parameters: { env: { PYTHONDONTWRITEBYTECODE: '1' } } },
      1,
    ],
    [
      'what children get',
      'return subprocess.run(["sh", "-c", "echo $N"], stdout=-1).stdout.decode()',
      { parameters: { env: { N: 2 } } },
      '2\n',
    ],
  ])('has in its environment %s', async (_name, body, trial, result) => {
    expect(await pack.run(body, trial)).toMatchObject({ status: 'succeeded', result: { result } });
  });

  it('keeps its own module path, whatever env contains', async () => {
    pack.write('actions/lib/soil.py', 'KIND = "loam"\n');
    pack.write('actions/lib/__init__.py', '');
    pack.write('actions/beside.py', 'KIND = "clay"\n');
    const body =
      'import soil, beside, lib.soil; return [soil.KIND, beside.KIND, lib.soil.KIND, os.environ["PYTHONPATH"].split(":")[0]]';
    const { result } = await pack.run(body, { parameters: { env: { PythonPath: '/x', PYTHONPATH: '/y' } } });
    expect(result).toMatchObject({
      stderr: '',
      result: ['loam', 'clay', 'loam', join(pack.directory, 'actions/lib')],
    });
    const child =
      'return subprocess.run(["python3", "-c", "import soil, st2common; print(soil.KIND)"], stdout=-1).stdout.decode()';
    expect((await pack.run(child)).result['result']).toBe('loam\n');
  });

  it('shares no state with the previous run', async () => {
    pack.write('actions/lib/shared.py', 'COUNT = 0\n');
    const body =
      'import shared, random; shared.COUNT += 1; os.environ["LEFT"] = "1"; sys.left = 1; return [shared.COUNT, random.random()]';
    const entryPoint = pack.action(
      `before = [os.environ.get("LEFT"), getattr(sys, "left", None)]\n${body.replace('[shared', 'before + [shared')}`,
    );
    const first = (await pack.start(entryPoint).handle.result).result['result'] as unknown[];
    const second = (await pack.start(entryPoint).handle.result).result['result'] as unknown[];
    expect([first.slice(0, 3), second.slice(0, 3)]).toEqual([
      [null, null, 1],
      [null, null, 1],
    ]);
    expect(first[3]).not.toBe(second[3]);
  });

  it('keeps secrets out of command lines', async () => {
    const secret = `hush-${warmWorkers}-${process.pid}`;
    const entryPoint = pack.action(
      'return [len(given["word"]), sum(b"hush-" in line for line in command_lines())]',
      EVERY_COMMAND_LINE,
    );
    const abilities = { packConfig: async () => ({ password: secret }) };
    const { result } = await pack.start(entryPoint, { actionParameters: { word: secret }, abilities }).handle.result;
    expect(result['result']).toEqual([secret.length, 0]);
  });

  const FAMILY = `
print(subprocess.Popen(["sleep", "600"]).pid, flush=True)
print(subprocess.Popen(["sleep", "600"], start_new_session=True).pid, flush=True)
child = os.fork()
if child == 0:
    os.setsid()
    time.sleep(600)
print(child, flush=True)
print(os.getpid(), flush=True)
time.sleep(600)`.trim();

  it('is killed with all its descendants on a timeout', async () => {
    const { status, result } = await pack.run(FAMILY, { parameters: { timeout: 2 } });
    expect({ status, result: { ...result, stdout: '' } }).toEqual({
      status: 'timeout',
      result: {
        stdout: '',
        stderr: '',
        exit_code: -9,
        result: 'None',
        error: 'Action failed to complete in 2 seconds',
      },
    });
    // On a slow machine, some may not have started by then.
    const pids = (result['stdout'] as string).split('\n').filter((line) => line !== '');
    expect(pids.map(Number).filter(isAlive)).toEqual([]);
  });

  it('can be canceled while running, with all its descendants', async () => {
    let printed = '';
    const complete = deferred();
    const output = (_type: string, chunk: Buffer | string) => {
      printed += chunk.toString();
      if (printed.split('\n').length === 5) complete.resolve();
    };
    const { handle, started } = pack.start(pack.action(FAMILY), { abilities: { output } });
    await complete.promise;
    const pids = printed.trim().split('\n').map(Number);
    expect((await started).pid).toBe(pids[3]);
    handle.cancel();
    handle.cancel();
    expect((await handle.result).status).toBe('canceled');
    expect(pids.map(isAlive)).toEqual([false, false, false, false]);
  });

  it('is killed when it ignores SIGTERM', async () => {
    const body = 'import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(600)';
    const printed = deferred();
    const { handle } = pack.start(pack.action(body), { abilities: { output: () => printed.resolve() } });
    await printed.promise;
    handle.cancel();
    expect((await handle.result).status).toBe('canceled');
  });

  it('does not start when canceled immediately', async () => {
    const { handle } = pack.start(pack.action(`open(${JSON.stringify(join(pack.root, 'ran'))}, "w")`));
    handle.cancel();
    expect((await handle.result).status).toBe('canceled');
  });

  it('ends when the service could not record its process', async () => {
    const abilities = { started: () => Promise.reject(new Error('no store')) };
    const { handle } = pack.start(pack.action('time.sleep(600)'), { abilities });
    expect(await handle.result).toMatchObject({ status: 'abandoned' });
  });

  it('does not wait for background processes without its output', async () => {
    const body = `
print(subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).pid, flush=True)
child = os.fork()
if child == 0:
    os.closerange(1, 3)
    time.sleep(600)
print(child, flush=True)
return "left"`;
    const { status, result } = await pack.run(body.trim());
    expect({ status, result: result['result'] }).toEqual({ status: 'succeeded', result: 'left' });
    const pids = (result['stdout'] as string).trim().split('\n').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    pids.forEach((pid) => process.kill(pid));
  });

  it('has the output of its background processes', async () => {
    const body = 'subprocess.Popen(["sh", "-c", "sleep 0.6; echo late; echo later >&2"]); print("now"); return 1';
    const { status, result } = await pack.run(body);
    expect(status).toBe('succeeded');
    expect(result).toMatchObject({ stdout: 'now\nlate\n', stderr: 'later\n', result: 1 });
  });

  it('waits for its threads, and runs its exit handlers', async () => {
    const body =
      'import atexit, threading\natexit.register(print, "bye")\nthreading.Thread(target=lambda: (time.sleep(0.05), print("thread"))).start()\nreturn 1';
    expect((await pack.run(body)).result).toMatchObject({ stdout: 'thread\nbye\n', result: 1 });
  });

  it('runs twenty times concurrently', async () => {
    const entryPoint = pack.action('print(given["n"]); return given["n"]');
    const numbers = Array.from({ length: 20 }, (_unused, index) => index);
    const runs = numbers.map((n) => pack.start(entryPoint, { actionParameters: { n } }).handle.result);
    expect((await Promise.all(runs)).map(({ result }) => [result['result'], result['stdout']])).toEqual(
      numbers.map((n) => [n, `${n}\n`]),
    );
  });

  it('rejects an entry point outside the pack', async () => {
    expect((await pack.start('../../x.py').handle.result).result['error']).toMatch('is not in its pack');
  });

  it('uses the virtual environment of its pack', async () => {
    const bin = join(pack.settings.virtualenvs, 'garden', 'bin');
    expect(spawnSync('python3', ['-m', 'venv', '--without-pip', join(bin, '..')]).status).toBe(0);
    const { result } = await pack.run(
      'import shutil; return [sys.prefix, shutil.which("python"), os.environ["PYTHONPATH"]]',
    );
    const environment = join(bin, '..');
    expect(result['result']).toEqual([
      environment,
      join(bin, 'python'),
      expect.stringMatching(`^${environment}/lib/python3[^:]*:${environment}/lib/python3[^:]*/site-packages:`),
    ]);
    const inSystemPack = await pack.run('return sys.prefix', { action: { pack: 'core' } });
    expect(inSystemPack.result['result']).not.toBe(environment);
  });

  it('is rejected when its pack has requirements but no virtual environment', async () => {
    pack.write('requirements.txt', 'six\n');
    const { status, result } = await pack.run('pass', { action: { pack: 'shed' } });
    expect(status).toBe('failed');
    expect(result['error']).toBe(
      `The virtual environment (${join(pack.settings.virtualenvs, 'shed')}) for pack "shed" does not exist. It can be created with: st2 run packs.setup_virtualenv packs=shed`,
    );
  });

  it('fails when the interpreter does not exist', async () => {
    const poor = new PythonPack({ warmWorkers, python: '/no/such/python' });
    expect(await poor.run('pass')).toMatchObject({
      status: 'failed',
      result: { exit_code: 127, error: "No such file or directory: '/no/such/python'" },
    });
    await poor.remove();
  });

  it('runs from the revision in content_version, with the modules of that revision', async () => {
    const git = new PythonPack({ warmWorkers, commonLibs: true });
    git.write('lib/common_name.py', 'NAME = "old"\n');
    git.write(
      'actions/named.py',
      'from common_name import NAME\nclass A:\n  def __init__(self, config): pass\n  def run(self): return NAME\n',
    );
    const call = (...args: string[]) =>
      expect(
        spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: git.directory }).status,
      ).toBe(0);
    call('init', '-q');
    call('add', '.');
    call('commit', '-qm', 'first');
    call('tag', 'v1');
    git.write('lib/common_name.py', 'NAME = "new"\n');
    const named = async (parameters: Record<string, unknown>) =>
      (await git.start('named.py', { parameters }).handle.result).result['result'];
    expect([await named({}), await named({ content_version: 'v1' })]).toEqual(['new', 'old']);
    await git.remove();
  });
});
