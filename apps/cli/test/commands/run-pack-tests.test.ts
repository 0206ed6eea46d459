import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rounds } from '@switchyard/testkit/rounds';

const SCRIPT = join(__dirname, '../../../../bin/st2-run-pack-tests');

const imports = (modules: string): boolean => spawnSync('python3', ['-c', `import ${modules}`]).status === 0;
const found = imports('venv, yaml');
if (!found && process.env['CI'] === 'true')
  throw new Error('There is no python3 with venv and PyYAML, and CI requires it.');
const describePython = found ? describe : describe.skip;
const RUNNERS = imports('pytest') ? ['pytest', 'unittest'] : ['unittest'];
/** Each run takes seconds. CI tries everything with both runners. */
const isLong = rounds(1) > 1;

/** Has tests with each base class, mocks and fixtures, written in the style of third-party packs. */
const PACK = {
  'pack.yaml': 'ref: cellar\nname: Cellar\n',
  'actions/open_bottle.py': `
from st2common.runners.base_action import Action

class OpenBottle(Action):
    def run(self, label):
        self.logger.info("Opening %s", label)
        opened = int(self.action_service.get_value("opened") or 0) + 1
        self.action_service.set_value("opened", str(opened))
        self.action_service.set_value("last", label, local=False, encrypt=True)
        return opened <= self.config["most"], opened
`,
  'sensors/thermometer.py': `
from st2reactor.sensor.base import PollingSensor

class Thermometer(PollingSensor):
    def setup(self):
        self._logger = self.sensor_service.get_logger(__name__)
    def poll(self):
        last = self.sensor_service.get_value("degrees")
        self._logger.debug("It was %s.", last)
        self.sensor_service.set_value("degrees", "14")
        self.sensor_service.dispatch("cellar.warm", {"degrees": 14, "before": last}, trace_tag="noon")
    def cleanup(self): pass
    def add_trigger(self, trigger): pass
    def update_trigger(self, trigger): pass
    def remove_trigger(self, trigger): pass
`,
  'aliases/open_bottle.yaml': `
name: open_bottle
action_ref: cellar.open_bottle
formats:
  - "open {{ label }}"
  - display: "take {{ label }} [now]"
    representation: ["take {{ label }}", "take {{ label }} now"]
`,
  'tests/fixtures/labels.json': '["Riesling", "Silvaner"]',
  'tests/test_action_open_bottle.py': `
import json
from st2tests.base import BaseActionTestCase
from open_bottle import OpenBottle

class OpenBottleTestCase(BaseActionTestCase):
    action_cls = OpenBottle

    def test_opens_bottles(self):
        action = self.get_action_instance(config={"most": 1})
        labels = json.loads(self.get_fixture_content("labels.json"))
        self.assertEqual([action.run(label) for label in labels], [(True, 1), (False, 2)])
        self.assertEqual(self.action_service.get_value("last", local=False), "Silvaner")
        self.assertEqual(len(self.action_service.list_values(local=False)), 2)

    def test_forgets_between_tests(self):
        self.assertEqual(self.get_action_instance({"most": 9}).run("Gutedel"), (True, 1))
        self.assertTrue(self.action_service.delete_value("opened"))
        self.assertIsNone(self.action_service.get_value("opened"))
`,
  'tests/test_sensor_thermometer.py': `
from st2tests.base import BaseSensorTestCase
from thermometer import Thermometer

class ThermometerTestCase(BaseSensorTestCase):
    sensor_cls = Thermometer

    def test_poll(self):
        sensor = self.get_sensor_instance(config={}, poll_interval=5)
        sensor.setup()
        sensor.poll()
        sensor.poll()
        self.assertEqual(sensor.get_poll_interval(), 5)
        self.assertEqual(len(self.get_dispatched_triggers()), 2)
        self.assertTriggerDispatched(trigger="cellar.warm", payload={"degrees": 14, "before": None})
        self.assertEqual(self.get_last_dispatched_trigger()["payload"]["before"], "14")
        self.sensor_service.get_logger("any").debug.assert_called_with("It was %s.", "14")
        with self.assertRaises(AssertionError):
            self.assertTriggerDispatched(trigger="cellar.cold")
`,
  'tests/test_alias_open_bottle.py': `
from st2tests.base import BaseActionAliasTestCase

class OpenBottleAliasTestCase(BaseActionAliasTestCase):
    action_alias_name = "open_bottle"

    def test_formats(self):
        formats = self.action_alias_db.get_format_strings()
        self.assertEqual(self.action_alias_db.ref, "cellar.open_bottle")
        self.assertCommandMatchesExactlyOneFormatString(formats, "open Riesling")
        self.assertExtractedParametersMatch(formats[0], "open Riesling", {"label": "Riesling"})
        with self.assertRaises(AssertionError):
            self.assertCommandMatchesExactlyOneFormatString(formats, "drink Riesling")
`,
  'tests/test_mocks.py': `
import unittest
from st2tests.mocks.action import MockActionService, MockActionWrapper
from st2tests.mocks.datastore import MockDatastoreService
from st2tests.mocks.sensor import MockSensorService, MockSensorWrapper

class MocksTestCase(unittest.TestCase):
    def test_work_without_a_base_class(self):
        action = MockActionService(MockActionWrapper(pack="cellar", class_name="Any"))
        sensor = MockSensorService(MockSensorWrapper(pack="cellar", class_name="Any"))
        store = MockDatastoreService(logger=None, pack_name="cellar", class_name="Any")
        for service in (action, sensor, store):
            service.set_value("key", "value")
            self.assertEqual(service.get_value("key"), "value")
            self.assertEqual(service.get_user_info()["username"], "admin")
        sensor.dispatch_with_context("cellar.warm", payload={}, trace_context=None)
        self.assertEqual(sensor.dispatched_triggers[0]["trigger"], "cellar.warm")
`,
};
const TESTS = 5;

const FAILING = {
  'tests/test_failing.py': `
import unittest

class FailingTestCase(unittest.TestCase):
    def test_fails(self):
        self.assertEqual("cork", "cap")

    def test_passes(self):
        pass
`,
};

/** Long enough for a busy machine. */
jest.setTimeout(5 * 60_000);

let root: string;
let pack: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-run-pack-tests-'));
  pack = join(root, 'packs/cellar');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(pack, name)), { recursive: true });
    writeFileSync(join(pack, name), text);
  }
}

/** Runs the script as a user does, from any directory. */
function runPackTests(...args: string[]): Promise<{ code: number | null; stdout: string; output: string }> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: root, SVC_SYSTEM__BASE_PATH: root, PIP_NO_INDEX: '1' };
  const child = spawn(SCRIPT, args, { cwd: root, env });
  let stdout = '';
  let output = '';
  child.stdout.on('data', (piece) => (stdout += String(piece)));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
  return new Promise((done) => child.on('close', (code) => done({ code, stdout, output })));
}

describePython('st2-run-pack-tests', () => {
  describe.each(RUNNERS)('with %s', (runner) => {
    const options = ['-x', '--runner', runner];

    it('runs tests that use each base class, mocks and fixtures', async () => {
      write(PACK);
      const { code, stdout, output } = await runPackTests('-p', pack, ...options);
      expect([code, output]).toEqual([
        0,
        expect.stringMatching(runner === 'pytest' ? new RegExp(`= ${TESTS} passed`) : new RegExp(`Ran ${TESTS} tests`)),
      ]);
      expect(stdout.split('\n').slice(0, 2)).toEqual(['Running tests for pack: cellar', 'Running tests...']);
      expect(output).toContain('test_opens_bottles');
    });

    it('ends with 1 when a test fails, and shows which', async () => {
      write({ ...PACK, ...FAILING });
      const { code, output } = await runPackTests('-p', 'packs/cellar', ...options);
      expect([code, output]).toEqual([1, expect.stringContaining("AssertionError: 'cork' != 'cap'")]);
      expect(output).toMatch(/test_fails\b/);
    });

    if (runner !== RUNNERS[0] && !isLong) return;

    const places = [
      ['a method', 'test_failing.py::FailingTestCase::test_passes', 0],
      ['a method that does not exist', 'test_failing.py::FailingTestCase::test_nothing', 4],
      ['a file', 'test_failing.py', 1],
      ['a class', 'test_failing.py::FailingTestCase', 1],
      ['a file that does not exist', 'test_nothing.py', 4],
      ['a class that does not exist', 'test_failing.py::Nothing', 4],
    ] as const;
    it.each(isLong ? places : places.slice(0, 2))('runs %s', async (_, place, expected) => {
      write({ ...PACK, ...FAILING });
      const { code, output } = await runPackTests('-p', pack, ...options, '-f', place);
      expect([code, output]).toEqual([expected, expect.not.stringContaining('test_opens_bottles')]);
    });

    it('ends with 5 when the folder has no tests', async () => {
      write({ 'pack.yaml': PACK['pack.yaml'], 'tests/fixtures/labels.json': '[]' });
      expect((await runPackTests('-p', pack, ...options)).code).toBe(5);
    });

    it('shows how long each test took, and what is installed', async () => {
      write(PACK);
      const { code, output } = await runPackTests('-t', '-v', '-p', pack, ...options);
      expect(code).toBe(0);
      expect(output).toMatch(/Python: .*python.*\n/);
      expect(output).toMatch(/Search path: \S*\/actions\b/);
      expect(output).toMatch(/Installed packages: .*PyYAML \d/i);
      expect(output).toMatch(/\d+\.\d+ ?s/);
    });
  });

  it('creates an environment for the tests, which -j reuses', async () => {
    write(PACK);
    const config = join(root, 'svc.conf');
    // Nothing is installed here, so the environment needs no pip.
    const text =
      '[actionrunner]\nvirtualenv_binary = /nowhere/virtualenv\nvirtualenv_opts = --system-site-packages,--without-pip\n';
    writeFileSync(config, text);
    const options = ['--config-file', config, '--runner', 'unittest', '-v'];
    const tooEarly = await runPackTests('-j', '-p', pack, ...options);
    expect([tooEarly.code, tooEarly.output]).toEqual([2, expect.stringContaining('Leave out -j to create it')]);
    const environment = join(root, 'cache/pack-tests/cellar');
    const made = await runPackTests('-p', pack, ...options);
    expect([made.code, made.output]).toEqual([0, expect.stringContaining(`Python: ${environment}/bin/python`)]);
    expect(made.output).toContain(`Created the environment ${environment}.`);
    const again = await runPackTests('-j', '-p', pack, ...options);
    expect([again.code, again.output]).toEqual([0, expect.stringContaining(`Python: ${environment}/bin/python`)]);
    expect(again.output).not.toContain('Created the environment');
  });

  it('succeeds without tests', async () => {
    write({ 'pack.yaml': PACK['pack.yaml'] });
    const { code, stdout } = await runPackTests('-p', pack);
    expect([code, stdout]).toEqual([0, 'Running tests for pack: cellar\nNo tests found.\n']);
  });

  it.each([
    ['no pack', [], 2, '-p'],
    ['an unknown option', ['-z'], 2, "'-z'"],
    ['an option without its value', ['-p'], 2, '-p'],
    ['a pack that does not exist', ['-p', '/nowhere/cellar'], 3, 'Invalid pack path: /nowhere/cellar'],
  ])('refuses %s', async (_, args, expected, text) => {
    const { code, output } = await runPackTests(...args);
    expect([code, output]).toEqual([expected, expect.stringContaining(text)]);
  });
});
