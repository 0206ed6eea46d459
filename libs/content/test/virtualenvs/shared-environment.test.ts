import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { deferred } from '@switchyard/base';
import { createSharedEnvironmentInstaller, setUpSharedEnvironment, type SharedEnvironmentSettings } from '../../src';
import { needsSharedEnvironment } from '../../src/virtualenvs/shared-need';
import { PackDirectories, packFile, writeFiles, type Files } from '../support/pack-directory';
import { describePython, evaluate, writeWheel } from '../support/python';

const directories = new PackDirectories();
afterAll(() => directories.clear());

const MINUTES_MS = 5 * 60_000;
const USES_EVENTLET: Files = { 'actions/run.py': 'import eventlet\n' };

async function packOf(files: Files, name = 'tools') {
  const root = await directories.root();
  const place = { name, directory: join(root, 'packs', name) };
  await writeFiles(place.directory, { 'pack.yaml': packFile(name), ...files });
  return { root, place };
}

const settingsIn = (root: string): SharedEnvironmentSettings => ({
  directory: join(root, 'shared-python'),
  requirements: join(root, 'requirements.txt'),
  indexUrl: null,
  wheels: join(root, 'wheels'),
  python: 'python3',
  virtualenv: '/nowhere/virtualenv',
  virtualenvOptions: [],
  pipOptions: [],
  tools: join(root, 'tools'),
  installer: 'pip',
  packageCache: join(root, 'cache'),
  environment: { PATH: process.env['PATH'], HOME: root, PYTHONPATH: '/misleading' },
});

const version = evaluate('python3', '"%d.%d" % __import__("sys").version_info[:2]');

describePython('the shared environment', () => {
  it(
    'is created from wheels, kept while nothing changes, and kept when the next attempt fails',
    async () => {
      const root = await directories.root();
      const settings = settingsIn(root);
      const link = join(settings.directory, version);
      const failed = join(settings.directory, '.made', `${version}.failed`);
      await writeWheel(settings.wheels!, 'greeting', '1.0', 'word = "hello"');
      await writeFile(settings.requirements!, 'greeting==1.0\n');
      expect(await setUpSharedEnvironment(settings)).toBe('made');
      expect(evaluate(join(link, 'bin/python'), '__import__("greeting").word')).toBe('hello');
      expect(await setUpSharedEnvironment(settings)).toBe('up to date');

      const before = await readlink(link);
      const port = await closedPort();
      await writeFile(settings.requirements!, 'greeting==2.0\n');
      const unreachable = { ...settings, wheels: null, indexUrl: `http://user:word@127.0.0.1:${port}/simple` };
      await expect(setUpSharedEnvironment(unreachable)).rejects.toMatchObject({
        code: 'content.shared-environment',
        message: expect.stringMatching(
          /^The shared Python environment cannot be set up: the package index cannot be reached\n[^]*greeting==2\.0/,
        ) as string,
      });
      expect(await readFile(failed, 'utf8')).toBe('it could not be created: the package index cannot be reached');
      expect(await readlink(link)).toBe(before);
    },
    MINUTES_MS,
  );

  it('reports once that it cannot be created, and the service continues', async () => {
    const { root, place } = await packOf(USES_EVENTLET);
    const told = deferred<string>();
    const logged: string[] = [];
    const log = (text: string) => void logged.push(text);
    const installer = createSharedEnvironmentInstaller({
      logger: { info: () => undefined, debug: () => undefined, warn: log },
      packs: async () => [place],
      settings: async () => ({ ...settingsIn(root), python: '/nowhere/python3' }),
    });
    installer.onFailure(told.resolve);
    installer.request();
    expect(await told.promise).toMatch(
      /^The shared Python environment cannot be set up: \/nowhere\/python3 did not return valid information: No such file or directory: '\/nowhere\/python3'$/,
    );
    await installer.stop();
    expect(logged).toHaveLength(1);
  });
});

describe('a shared environment is needed', () => {
  it.each<[string, boolean, string]>([
    ['import eventlet', true, 'a package that it offers'],
    ['    from dateutil import parser', true, 'one inside a function'],
    ['from st2client.client import Client', true, 'the client'],
    ['from st2common.util import isotime', true, 'a module of the product that uses one'],
    ['client = self.action_service.datastore_service.get_api_client()', true, 'the client by the action service'],
    ['import six', false, 'modules of every environment'],
    ['from st2common.runners.base_action import Action', false, 'only modules of the product'],
    ['# import eventlet', false, 'nothing'],
    ['import boto3', false, 'an unknown package'],
  ])('%j: %s (%s)', async (source, needed) => {
    const { place } = await packOf({ 'actions/run.py': `${source}\n` });
    expect(await needsSharedEnvironment([place])).toBe(needed);
  });

  it('whatever else has the name of a source file', async () => {
    const { place } = await packOf({ 'actions/run.py': 'import eventlet\n' });
    await symlink('nowhere', join(place.directory, 'actions/a.py'));
    execFileSync('mkfifo', [join(place.directory, 'actions/b.py')]);
    expect(await needsSharedEnvironment([place])).toBe(true);
  });

  it('by no pack: nothing is created', async () => {
    const { root, place } = await packOf({ 'actions/run.py': 'import six\n' });
    const installer = createSharedEnvironmentInstaller({
      logger: { info: () => undefined, debug: () => undefined, warn: fail },
      packs: async () => [place],
      settings: fail,
    });
    installer.request();
    await installer.stop();
    expect(existsSync(join(root, 'shared-python'))).toBe(false);
  });
});

const fail = (): never => {
  throw new Error('this must not be called');
};

async function closedPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
