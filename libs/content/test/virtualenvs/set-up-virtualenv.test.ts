import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setUpVirtualenv, type PackPlace, type SetUpOptions, type VirtualenvSettings } from '../../src';
import { PackDirectories, packFile, writeFiles, type Files } from '../support/pack-directory';
import { describePython, evaluate, writeWheel } from '../support/python';

const directories = new PackDirectories();
/** Unpacked and compiled once for all tests. */
let tools: string;
beforeAll(async () => void (tools = await directories.root()));
afterAll(() => directories.clear());

const MINUTES_MS = 5 * 60_000;
const uv = spawnSync('sh', ['-c', 'command -v uv'], { encoding: 'utf8' }).stdout.trim() || undefined;
if (uv === undefined) process.stderr.write('There is no uv on the PATH: only a replacement for it is tested.\n');
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
    tools,
    installer: 'pip',
    packageCache: join(root, 'cache'),
    wheels: null,
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
    setUp: (more: Partial<VirtualenvSettings> = {}, options: SetUpOptions = {}, other: PackPlace = place) =>
      setUpVirtualenv(other, { ...all, ...more }, { ...options, onOutput: (line) => printed.push(line) }),
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

  it('does not need every source file to be readable', async () => {
    const { place, setUp } = await site(SCRIPT);
    // Editors leave such links.
    await symlink('somebody@example.org.4711', join(place.directory, 'actions/.#run.py'));
    execFileSync('mkfifo', [join(place.directory, 'actions/pipe.py'), join(place.directory, 'requirements-pipe.txt')]);
    expect(await setUp()).toBe('made');
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
    'contains the requirements of the pack, keeps them when the next attempt fails, and downloads nothing twice, not even for another pack',
    async () => {
      const { setUp, root, place, python, printed, environments } = await site(SCRIPT, { virtualenvOptions: [] });
      const index = await startIndex(root, 'greeting');
      const environment = { PATH: process.env['PATH'], PIP_INDEX_URL: index.url, PIP_TRUSTED_HOST: '127.0.0.1' };
      const forTests = await writeWheel(join(place.directory, 'wheels'), 'checking', '1.0', 'word = "checked"');
      await writeFiles(place.directory, {
        'requirements.txt': 'greeting\n',
        'requirements-tests.txt': `./wheels/${forTests}\n`,
      });
      try {
        expect(await setUp({ environment }, { testPackages: [] })).toBe('made');
        expect(evaluate(python, '__import__("greeting").word + __import__("checking").word')).toBe('hellochecked');
        const output = printed.join('');
        expect(output).toContain('Successfully installed checking-1.0 greeting-1.0');
        expect(output.match(/^tools: step .*$/gm)).toEqual([
          expect.stringMatching(/^tools: step 1 of 3, creating the environment with Python \d/),
          'tools: step 2 of 3, installing requirements.txt, requirements-tests.txt',
          'tools: step 3 of 3, writing the list of installed packages',
        ]);
        expect((await readFile(join(python, '../../requirements.lock'), 'utf8')).split('\n')).toEqual([
          expect.stringContaining('# Installed for tools with Python'),
          `checking @ file://${place.directory}/wheels/${forTests}`,
          'greeting==1.0',
          '',
        ]);
        await writeFiles(place.directory, { 'requirements.txt': 'greeting\nno-such-package-anywhere\n' });
        await expect(setUp({ environment })).rejects.toMatchObject({
          code: 'content.virtualenv',
          message: expect.stringMatching(
            /pack "tools" .*: the package index has no package for no-such-package-anywhere\n.*exited with code 1\n.*No matching distribution/s,
          ) as string,
        });
        expect([index.downloads(), printed.join('')]).toEqual([1, expect.stringContaining('Using cached')]);
        const second = { name: 'second', directory: join(root, 'packs/second') };
        await writeFiles(second.directory, { 'pack.yaml': packFile('second'), 'requirements.txt': 'greeting\n' });
        expect([await setUp({ environment }, {}, second), index.downloads()]).toEqual(['made', 1]);
        expect(evaluate(python, '__import__("greeting").word')).toBe('hello');
        expect(await environments()).toHaveLength(1);
      } finally {
        index.close();
      }
    },
    MINUTES_MS,
  );

  it(
    'contains six, from a directory of wheels, if the pack imports it without requiring it, as packs of the reference may',
    async () => {
      const { setUp, root, place } = await site({ 'actions/run.py': 'import six\n' }, { virtualenvOptions: [] });
      await writeWheel(join(root, 'wheels'), 'six', '1.99.0', 'moves = 1');
      expect(
        await setUp({ wheels: join(root, 'wheels'), environment: { PATH: process.env['PATH'], HOME: root } }),
      ).toBe('made');
      const bin = join(root, 'virtualenvs', place.name, 'bin');
      expect(evaluate(join(bin, 'python'), '__import__("six").__file__')).toContain('tools');
      // Scripts of packs may call the pip of their environment.
      expect(spawnSync(join(bin, 'pip'), ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^pip \d/);
    },
    MINUTES_MS,
  );

  it(
    'is filled by uv if it is installed, and by pip if uv fails',
    async () => {
      const { setUp, root, place, python, printed } = await site(SCRIPT, { virtualenvOptions: [], installer: 'auto' });
      const wheel = await writeWheel(join(place.directory, 'wheels'), 'greeting', '1.0', 'word = "hello"');
      await writeFiles(place.directory, { 'requirements.txt': `./wheels/${wheel}\n` });
      const uv = join(root, 'bin/uv');
      await writeFiles(join(root, 'bin'), { uv: '#!/bin/sh\necho "uv was called with $1 $2 $3"; exit 2\n' });
      await chmod(uv, 0o755);
      const environment = { PATH: `${join(root, 'bin')}:${process.env['PATH']}`, HOME: root };
      await setUp({ environment, installer: 'uv' }).then(fail, () => undefined);
      expect(printed).toContain('uv was called with pip install --python\n');
      // A machine on which pip is configured does not use uv by default.
      const tries = existsSync('/etc/pip.conf') ? 1 : 2;
      expect(await setUp({ environment })).toBe('made');
      expect(printed.filter((line) => line.startsWith('uv was called'))).toHaveLength(tries);
      expect(evaluate(python, '__import__("greeting").word')).toBe('hello');
    },
    MINUTES_MS,
  );

  (uv === undefined ? it.skip : it)(
    'is filled by the real uv, if it is on the PATH',
    async () => {
      const { setUp, root, python } = await site(SCRIPT, { virtualenvOptions: [], installer: 'uv' });
      const index = await startIndex(root, 'greeting');
      const environment = { PATH: `${dirname(uv ?? '')}:${process.env['PATH']}`, HOME: root, UV_INDEX_URL: index.url };
      const downloads: number[] = [];
      const places = ['first', 'second'].map((name) => ({ name, directory: join(root, 'packs', name) }));
      try {
        for (const place of places) {
          const requirements = { 'requirements.txt': 'greeting\n' };
          await writeFiles(place.directory, { 'pack.yaml': packFile(place.name), ...requirements, ...SCRIPT });
          expect(await setUp({ environment }, {}, place)).toBe('made');
          downloads.push(index.downloads());
          const own = python.replace('/tools/', `/${place.name}/`);
          expect(evaluate(own, '__import__("greeting").word')).toBe('hello');
          expect(await readFile(join(own, '../../requirements.lock'), 'utf8')).toContain('greeting==1.0\n');
        }
        // The first installation has read the metadata as well.
        expect(downloads[1]).toBe(downloads[0]);
      } finally {
        index.close();
      }
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
    expect(printed).toEqual([expect.stringContaining('step 1 of 2'), `${text}\n`]);
    expect(await environments()).toEqual([]);
  });

  it('needs a Python', async () => {
    const { setUp } = await site(SCRIPT);
    await expect(setUp({ python: '/nowhere/python' })).rejects.toThrow('could not start /nowhere/python');
  });
});

const fail = (): never => {
  throw new Error('this must not succeed');
};

/** A package index with one package. */
async function startIndex(root: string, name: string) {
  const wheel = await writeWheel(join(root, 'index'), name, '1.0', 'word = "hello"');
  const content = await readFile(join(root, 'index', wheel));
  let downloads = 0;
  const server = createServer(({ url }, response) => {
    if (url === `/${wheel}`) {
      downloads += 1;
      response.writeHead(200, { 'Cache-Control': 'max-age=1000', 'Content-Length': content.length }).end(content);
    } else if (url === `/simple/${name}/`) {
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<html><body><a href="/${wheel}">${wheel}</a></body></html>`);
    } else response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/simple`, downloads: () => downloads, close: () => server.close() };
}
