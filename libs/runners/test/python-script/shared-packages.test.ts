import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describePython, PythonPack } from './python-pack';

const VERSION = spawnSync('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: 'utf8' });
const version = VERSION.stdout?.trim() ?? '';

/** A module that the shared environment offers. */
const MODULE = 'jsonpath_rw';

describePython.each([
  ['a warm worker', true],
  ['an interpreter of its own', false],
])('in %s', (_, warmWorkers) => {
  const shared = mkdtempSync(join(tmpdir(), 'shared-python-'));
  const pack = new PythonPack({
    warmWorkers,
    installation: {
      base_path: '/base',
      packs_base_paths: ['/base/packs', '/more'],
      shared: { directory: shared, requirements: null, wait_seconds: 600 },
    },
  });
  const packages = join(shared, version, 'lib', `python${version}`, 'site-packages');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  afterAll(async () => {
    await pack.remove();
    rmSync(shared, { recursive: true });
  });

  it('an import fails with the reason why there is no shared environment', async () => {
    write(join(shared, '.made', `${version}.failed`), 'it could not be created: no index');
    const { status, result } = await pack.run(`import ${MODULE}`);
    expect([status, result['stderr']]).toEqual([
      'failed',
      expect.stringMatching(
        /ModuleNotFoundError: No module named 'jsonpath_rw'\nThe module "jsonpath_rw" comes from the shared Python environment: it could not be created: no index\. See docs\/actions-python\.md\.\n$/,
      ),
    ]);
  });

  it('packages of the shared environment come behind everything else', async () => {
    write(join(packages, `${MODULE}.py`), 'where = "shared"\n');
    write(join(packages, 'both.py'), 'where = "shared"\n');
    pack.write('actions/both.py', 'where = "pack"\n');
    const body = `import both, ${MODULE}\nreturn [both.where, ${MODULE}.where, sys.path[-1]]`;
    expect((await pack.run(body)).result['result']).toEqual(['pack', 'shared', packages]);
  });

  it('actions can find the directories of packs', async () => {
    const body = 'from st2common.content import utils\nreturn utils.get_packs_base_paths()';
    expect((await pack.run(body)).result['result']).toEqual(['/base/packs', '/more']);
  });

  it('a module of StackStorm that is not offered fails to import with the page that lists them', async () => {
    const { status, result } = await pack.run('from st2common.persistence.action import Action as Stored');
    expect([status, result['stderr']]).toEqual([
      'failed',
      expect.stringContaining(
        "No module named 'st2common.persistence': Switchyard does not offer this module of StackStorm; docs/actions-python.md lists",
      ),
    ]);
  });
});
