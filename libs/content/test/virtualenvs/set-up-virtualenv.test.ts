import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setUpVirtualenv, type SetUpOptions, type VirtualenvSettings } from '../../src';
import { PackDirectories, packFile, writeFiles, type Files } from '../support/pack-directory';
import { describePython, evaluate, writeWheel } from '../support/python';

const directories = new PackDirectories();
afterAll(() => directories.clear());

const MINUTES_MS = 5 * 60_000;
const SCRIPT: Files = { 'actions/run.py': 'class Run:\n    pass\n' };
/** Environments without pip are created quickly. */
const BARE = ['--system-site-packages', '--without-pip'];

async function site(files: Files, settings: Partial<VirtualenvSettings> = {}, name = 'tools') {
  const root = await directories.root();
  const place = { name, directory: join(root, 'packs', name) };
  await writeFiles(place.directory, { 'pack.yaml': packFile(name), ...files });
  const printed: string[] = [];
  const all: VirtualenvSettings = {
    directory: join(root, 'virtualenvs'),
    python: 'python3',
    virtualenv: '/nowhere/virtualenv',
    virtualenvOptions: BARE,
    pipOptions: [],
    // Nothing can be downloaded here, so the packages must already exist.
    environment: { PATH: process.env['PATH'], HOME: root, PIP_NO_INDEX: '1', PYTHONPATH: '/misleading' },
    ...settings,
  };
  return {
    root,
    place,
    printed,
    python: join(all.directory, name, 'bin/python'),
    environments: () => readdir(join(all.directory, '.made', name)),
    setUp: (more: Partial<VirtualenvSettings> = {}, options: SetUpOptions = {}) =>
      setUpVirtualenv(place, { ...all, ...more }, { ...options, onOutput: (line) => printed.push(line) }),
  };
}

describePython('a virtual environment', () => {
  it.each([
    ['a pack without Python', 'tools', { 'actions/run.sh': 'true\n' }],
    ['a pack of the system', 'linux', SCRIPT],
  ])('is not needed by %s', async (_, name, files) => {
    expect(await (await site(files, {}, name)).setUp()).toBe('not needed');
  });

  it('is created once, and recreated on changes or on request', async () => {
    const { setUp, python, root, environments } = await site(SCRIPT);
    expect(await setUp()).toBe('made');
    expect(evaluate(python, '__import__("sys").prefix')).toBe(join(root, 'virtualenvs/tools'));
    expect(await setUp()).toBe('up to date');
    expect(await setUp({ pipOptions: ['--pre'] })).toBe('made');
    const before = await readlink(join(root, 'virtualenvs/tools'));
    expect(await setUp({ pipOptions: ['--pre'] }, { recreate: true })).toBe('made');
    expect(await readlink(join(root, 'virtualenvs/tools'))).not.toBe(before);
    expect(await environments()).toHaveLength(1);
  });

  it('is created once for concurrent callers', async () => {
    const { setUp } = await site(SCRIPT);
    expect((await Promise.all([setUp(), setUp(), setUp()])).sort()).toEqual(['made', 'up to date', 'up to date']);
  });

  it('replaces a directory that is not a complete environment', async () => {
    const { setUp, python, root, environments } = await site(SCRIPT);
    await mkdir(join(root, 'virtualenvs/tools/bin'), { recursive: true });
    await writeFile(python, 'half');
    expect(await setUp()).toBe('made');
    expect(evaluate(python, '1 + 1')).toBe('2');
    expect(await environments()).toHaveLength(1);
  });

  it(
    'has what the pack requires, and keeps it when the next attempt fails',
    async () => {
      const { setUp, place, python, printed, environments } = await site(SCRIPT, { virtualenvOptions: [] });
      const first = await writeWheel(join(place.directory, 'wheels'), 'greeting', '1.0', 'word = "hello"');
      const forTests = await writeWheel(join(place.directory, 'wheels'), 'checking', '1.0', 'word = "checked"');
      await writeFiles(place.directory, {
        'requirements.txt': `./wheels/${first}\n`,
        'requirements-tests.txt': `./wheels/${forTests}\n`,
      });
      expect(await setUp({}, { testPackages: [] })).toBe('made');
      expect(evaluate(python, '__import__("greeting").word + __import__("checking").word')).toBe('hellochecked');
      expect(printed.join('')).toContain('Successfully installed checking-1.0 greeting-1.0');
      await writeFiles(place.directory, { 'requirements.txt': 'no-such-package-anywhere\n' });
      await expect(setUp()).rejects.toMatchObject({
        code: 'content.virtualenv',
        message: expect.stringMatching(/pack "tools" .*exited with code 1\n.*No matching distribution/s),
      });
      expect(evaluate(python, '__import__("greeting").word')).toBe('hello');
      expect(await environments()).toHaveLength(1);
    },
    MINUTES_MS,
  );

  it(
    'gets six when the pack imports it, as packs of the reference may without asking',
    async () => {
      const { setUp, root, place } = await site({ 'actions/run.py': 'import six\n' }, { virtualenvOptions: [] });
      await writeWheel(join(root, 'wheels'), 'six', '1.99.0', 'moves = 1');
      expect(await setUp({ pipOptions: ['--find-links', join(root, 'wheels')] })).toBe('made');
      expect(evaluate(join(root, 'virtualenvs', place.name, 'bin/python'), '__import__("six").__file__')).toContain(
        'tools',
      );
    },
    MINUTES_MS,
  );

  it('can use the packages of an interpreter in a virtual environment', async () => {
    const { setUp, root, python } = await site(SCRIPT);
    const service = join(root, 'service');
    expect(spawnSync('python3', ['-m', 'venv', '--without-pip', service]).status).toBe(0);
    const own = evaluate(join(service, 'bin/python'), '__import__("sysconfig").get_paths()["purelib"]');
    await writeFile(join(own, 'shared_by_all.py'), 'word = "shared"\n');
    expect(await setUp({ python: join(service, 'bin/python') })).toBe('made');
    expect(evaluate(python, '__import__("shared_by_all").word')).toBe('shared');
  });

  it('is created by the configured program, with credentials masked in its output', async () => {
    const { setUp, root, printed, environments } = await site(SCRIPT);
    const program = join(root, 'virtualenv');
    await writeFile(program, '#!/bin/sh\necho "$1 $2" from https://bot:pa55word@index.invalid/simple >&2; exit 3\n');
    await chmod(program, 0o755);
    const failure: Error = await setUp({ virtualenv: program }).then(
      () => new Error('it was made'),
      (error: Error) => error,
    );
    const text = '-p python3 from https://********@index.invalid/simple';
    expect(failure.message).toContain(`exited with code 3\n${text}`);
    expect(printed).toEqual([`${text}\n`]);
    expect(await environments()).toEqual([]);
  });

  it('needs a Python', async () => {
    const { setUp } = await site(SCRIPT);
    await expect(setUp({ python: '/nowhere/python' })).rejects.toThrow('could not start /nowhere/python');
  });
});
