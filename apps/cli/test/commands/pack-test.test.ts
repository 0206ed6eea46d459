import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { svcBatch } from '../support/command-table';
import { startSvc } from '../support/run-svc';

const python = spawnSync('python3', ['-c', 'import sys, venv; print("%d.%d" % sys.version_info[:2])']);
const version = python.stdout?.toString().trim();
const found = python.status === 0;
if (!found && process.env['CI'] === 'true') throw new Error('There is no python3 with venv, and CI requires it.');
const describePython = found ? describe : describe.skip;

/** Uses what third-party packs use: modules in every folder, a test package without `__init__.py`, base classes,
 * fixtures. */
const GARDEN = {
  'pack.yaml': 'ref: garden\nname: garden\n',
  'lib/soil.py': 'KIND = "loam"\n',
  'etc/limits.py': 'MOST = 3\n',
  'actions/lib/pump.py': 'def start():\n    return "on"\n',
  'actions/water.py': `
from lib.pump import start
from st2common.runners.base_action import Action

class Water(Action):
    def run(self, bed):
        self.action_service.set_value("last", bed)
        return start(), self.config.get("liters")
`,
  'sensors/gauge.py': `
from st2reactor.sensor.base import Sensor

class Gauge(Sensor):
    def run(self):
        self.sensor_service.dispatch("garden.dry", {"bed": 1})
    setup = cleanup = add_trigger = update_trigger = remove_trigger = lambda self, *_: None
`,
  'tests/fixtures/beds.txt': 'roses',
  'tests/base_case.py': `
from st2tests.base import BaseActionTestCase

class GardenActionTestCase(BaseActionTestCase):
    __test__ = False
    def test_has_a_fixture(self):
        self.assertEqual(self.get_fixture_content("beds.txt"), "roses")
`,
  'tests/test_water.py': `
from unittest import mock
import limits, soil, water
from tests.base_case import GardenActionTestCase

class WaterTestCase(GardenActionTestCase):
    __test__ = True
    action_cls = water.Water
    @mock.patch("water.start", return_value="off")
    def test_run(self, _):
        self.assertEqual(self.get_action_instance({"liters": 2}).run(bed=4), ("off", 2))
        self.assertEqual(self.action_service.get_value("last"), 4)
        self.assertEqual([soil.KIND, limits.MOST], ["loam", 3])
`,
  'tests/sensors/gauge_test.py': `
from gauge import Gauge
from st2tests.base import BaseSensorTestCase

class GaugeTestCase(BaseSensorTestCase):
    sensor_cls = Gauge
    def test_dispatches(self):
        self.get_sensor_instance().run()
        self.assertTriggerDispatched("garden.dry", {"bed": 1})
`,
};

/** Long enough for a busy machine. */
jest.setTimeout(5 * 60_000);

let root: string;
let pack: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-pack-test-'));
  pack = join(root, 'packs/garden');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(pack, name)), { recursive: true });
    writeFileSync(join(pack, name), text);
  }
}

const testPack = (...args: string[]) => startSvc(['pack', 'test', '--data-dir', root, ...args], { HOME: root });

describePython('svc pack test', () => {
  it('runs the tests of a pack in a separate environment, and keeps it', async () => {
    write(GARDEN);
    // Nothing is installed here, so the environment needs no pip.
    const config = join(root, 'svc.conf');
    writeFileSync(config, '[actionrunner]\nvirtualenv_binary = /nowhere/virtualenv\nvirtualenv_opts = --without-pip\n');
    const options = ['--config-file', config, '--runner', 'unittest'];
    const made = await testPack('garden', ...options, '-t', '-v');
    expect([made.code, made.stderr]).toEqual([0, expect.stringMatching(/Ran 3 tests in .*\n\nOK\n/)]);
    expect(made.stdout).toContain(`Python: ${join(root, 'cache/pack-tests/garden/bin/python')}`);
    expect(made.stderr).toMatch(/test_run .*ok\n +\d+\.\d{3} s/);
    const again = await testPack('-jp', pack, ...options, '-f', 'test_water.py::WaterTestCase::test_run');
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Ran 1 test in')]);
  });

  it('reports how the tests ended', async () => {
    write({
      ...GARDEN,
      'tests/test_broken.py': 'import no_such_module\n',
      'tests/test_late.py':
        'import unittest\n\nclass Late(unittest.TestCase):\n    def test_it(self):\n        self.fail("late")\n',
      // Modules that no pack requires come from the shared environment.
      'tests/test_shared.py':
        'import unittest\nimport jsonpath_rw\n\nclass Shared(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(jsonpath_rw.where, "shared")\n',
      [`../../shared-python/${version}/lib/python${version}/site-packages/jsonpath_rw.py`]: 'where = "shared"\n',
    });
    const { code, stdout, stderr } = await testPack(pack, '-x', '--runner', 'unittest');
    expect([code, stdout]).toEqual([1, 'Running tests for pack: garden\nRunning tests...\n']);
    expect(stderr).toMatch(
      /No module named 'no_such_module'[^]*AssertionError: late[^]*Ran 6 tests[^]*failures=1, errors=1\)/,
    );
  });

  it('ends at once when there is nothing to run', async () => {
    write({ 'pack.yaml': 'ref: garden\n' });
    mkdirSync(join(root, 'packs/tested/tests'), { recursive: true });
    const words = ['pack', 'test', '--data-dir', root];
    const ended = await svcBatch(
      [[...words, 'garden'], [...words, '-p', '/nowhere/garden'], words, [...words, 'tested', '-j']],
      { HOME: root },
    );
    expect(ended.map(({ code, stdout, stderr }) => [code, stdout + stderr])).toEqual([
      [0, 'Running tests for pack: garden\nNo tests found.\n'],
      [3, expect.stringContaining('Invalid pack path: /nowhere/garden')],
      [2, expect.stringContaining('Specify one pack')],
      [2, expect.stringContaining('Leave out -j to create it')],
    ]);
  });
});
