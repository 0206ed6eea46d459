import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { serviceEnvironment } from '@switchyard/runners';
import { ServiceInterpreter } from '../../src/python-script/service-interpreter';
import { describePython } from './python-pack';

const FOREVER = 1e9;
const SAY_IT = 'import sys; print(sys.executable)';

describePython('The interpreter of the service', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'interpreters-')));
  const log = join(root, 'log');
  const real = spawnSync('python3', ['-c', SAY_IT], { encoding: 'utf8' }).stdout.trim();
  const exported = { 'BASH_FUNC_greet%%': '() {  echo hello\n}' };
  const environment = { ...serviceEnvironment(process.env), ...exported, PATH: join(root, 'bin') };
  const interpreters: ServiceInterpreter[] = [];
  const interpreter = (python = 'python3', freshMs = FOREVER): ServiceInterpreter => {
    const found = new ServiceInterpreter(python, freshMs);
    interpreters.push(found);
    return found;
  };

  /** Writes a script atomically. @returns its path */
  const script = (name: string, text: string): string => {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, `#!/bin/sh\necho asked >> ${log}\n${text}\n`);
    chmodSync(`${path}.new`, 0o755);
    renameSync(`${path}.new`, path);
    return path;
  };
  const shim = (target = real, settings = ''): string =>
    script('bin/python3', `export PYENV_VERSION=3 PATH=/usr/bin:$PATH ${settings}\nexec ${target} "$@"`);
  const timesAsked = (): number => readFileSync(log, 'utf8').split('\n').length - 1;
  const virtualenv = (name: string): string => {
    expect(spawnSync(real, ['-m', 'venv', '--without-pip', join(root, name)]).status).toBe(0);
    return join(root, name, 'bin/python3');
  };

  beforeEach(() => writeFileSync(log, ''));
  afterEach(() => Promise.all(interpreters.splice(0).map((each) => each.close())));
  afterAll(() => rmSync(root, { recursive: true }));

  it("is the one behind a version manager's shim, which is queried once", async () => {
    const path = shim();
    for (const found of [interpreter(), interpreter(path)]) {
      const all = await Promise.all([found.find(environment), found.find(environment)]);
      expect([...all, await found.find(environment)].map((each) => each?.path)).toEqual([real, real, real]);
    }
    expect(timesAsked()).toBe(2);
  });

  it('is that of a configured virtual environment, not the one behind it', async () => {
    const python = virtualenv('chosen');
    shim(python);
    expect((await interpreter().find(environment))?.path).toBe(python);
    expect((await interpreter(python).find(environment))?.path).toBe(python);
  });

  it.each([
    ['sets variables', () => shim(real, 'GREETING=hello')],
    ['adds modules', () => shim(real, 'PYTHONPATH=/somewhere')],
    ['gives it options', () => script('bin/python3', `exec ${real} -E "$@"`)],
    ['says something', () => script('bin/python3', `echo hello; exec ${real} "$@"`)],
    ['does not work', () => script('bin/python3', 'exit 1')],
  ])('is the script itself if it %s', async (_, write) => {
    const path = write();
    expect((await interpreter().find(environment))?.path).toBe(path);
  });

  it('is undefined if there is none', async () => {
    expect(await interpreter('python-of-nobody').find(environment)).toBeUndefined();
    expect(await interpreter(join(root, 'nothing')).find(environment)).toBeUndefined();
    expect(await interpreter(root).find(environment)).toBeUndefined();
  });

  it('is queried again when it is gone or the shim has changed', async () => {
    const [first, second] = [virtualenv('first'), virtualenv('second')];
    const known = interpreter();
    shim(first);
    expect((await known.find(environment))?.path).toBe(first);
    shim(second);
    expect((await known.find(environment))?.path).toBe(second);
    const choice = join(root, 'choice');
    writeFileSync(choice, first);
    script('bin/python3', `exec $(/bin/cat ${choice}) "$@"`);
    expect((await known.find(environment))?.path).toBe(first);
    writeFileSync(choice, second);
    rmSync(join(root, 'first'), { recursive: true });
    expect((await known.find(environment))?.path).toBe(second);
  });

  it('is queried again after a while, without delaying runs', async () => {
    const [first, second] = [virtualenv('early'), virtualenv('late')];
    const choice = join(root, 'choice');
    script('bin/python3', `exec $(/bin/cat ${choice}) "$@"`);
    writeFileSync(choice, first);
    const known = interpreter('python3', 0);
    expect((await known.find(environment))?.path).toBe(first);
    writeFileSync(choice, second);
    expect((await known.find(environment))?.path).toBe(first);
    while ((await known.find(environment))?.path !== second) await new Promise(setImmediate);
  });

  it('leaves nothing behind when closed during a query', async () => {
    script('bin/python3', 'exec /bin/sleep 600');
    const slow = interpreter();
    const found = slow.find(environment);
    while (timesAsked() === 0) await new Promise(setImmediate);
    await slow.close();
    expect((await found)?.path).toBe(join(root, 'bin/python3'));
  });
});
