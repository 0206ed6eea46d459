import { isAlive, untilGone } from '@switchyard/testkit/system';
import { eventually } from '@switchyard/testkit/platform';
import { describePython, FOREVER, passive, polling } from './support/python';
import { openSensorSite, type SensorSite } from './support/sensor-site';

let site: SensorSite;
beforeEach(async () => void (site = await openSensorSite()));
afterEach(() => site.close());

const pidOf = async (ref: string) => (await site.untilState(ref, 'running')).process!.pid;

describePython('A polling sensor', () => {
  it('dispatches with its configuration and its interval', async () => {
    const { configs, configSchemas } = site.platform.store;
    const limits = { type: 'object', properties: { most: { default: 5 } } };
    await configSchemas.upsert({ pack: 'tests', attributes: { region: { type: 'string' }, limits } });
    await configs.upsert({ pack: 'tests', values: { region: '{{ st2kv.system.region }}' } });
    await site.datastore.put({ scope: 'system', name: 'region' }, { value: 'north' });
    await site.addSensor({
      class_name: 'Poller',
      poll_interval: 0.02,
      text: polling(
        'Poller',
        'self.sensor_service.dispatch("tests.poller", {"every": self.get_poll_interval(), "config": self.config})',
      ),
    });
    await site.container();
    const [, , third] = await site.untilEvents('tests.poller', 3);
    expect(third?.payload).toEqual({ every: 0.02, config: { region: 'north', limits: { most: 5 } } });
  });

  it('is restarted after it was killed, and a trigger is dispatched', async () => {
    await site.addSensor({
      class_name: 'Poller',
      poll_interval: 0.02,
      text: polling('Poller', 'self.sensor_service.dispatch("tests.poller")'),
    });
    await site.container();
    const first = await pidOf('tests.Poller');
    process.kill(first, 'SIGKILL');
    const again = await eventually(
      async () => {
        const state = await site.state('tests.Poller');
        return state?.state === 'running' && state.process?.pid !== first && state;
      },
      () => 'another process',
    );
    expect(again).toMatchObject({ restarts: 1, last_exit: { exit_code: null, signal: 'SIGKILL' } });
    const spawns = await site.untilEvents('core.st2.sensor.process_spawn', 2);
    expect(spawns[0]?.payload).toEqual({
      ref: 'tests.Poller',
      id: 'Poller',
      timestamp: expect.any(Number),
      pid: first,
      cmd: expect.stringContaining('--class-name=Poller'),
    });
    const [exit] = await site.untilEvents('core.st2.sensor.process_exit', 1);
    expect(exit?.payload).toEqual({ ref: 'tests.Poller', id: 'Poller', timestamp: expect.any(Number), exit_code: -9 });
  });
});

describePython('A passive sensor', () => {
  it('stores and finds items of the datastore, both its own and others', async () => {
    const body = `
service = self.sensor_service
service.set_value("seen", 7, encrypt=True)
service.set_value("shared", "x", local=False, ttl=60)
names = [item.name for item in service.list_values()]
found = [service.get_value("seen", decrypt=True), service.get_value("shared", local=False), service.get_value("none")]
gone = [service.delete_value("seen"), service.delete_value("seen")]
service.dispatch("tests.keeper", {"names": names, "found": found, "gone": gone, "user": service.get_user_info()["username"]})
${FOREVER}`;
    await site.addSensor({ class_name: 'Keeper', text: passive('Keeper', body) });
    await site.container();
    const [event] = await site.untilEvents('tests.keeper', 1);
    expect(event?.payload).toEqual({
      names: ['tests.Keeper:seen'],
      found: ['7', 'x', null],
      gone: [true, true],
      user: 'sensor_service',
    });
  });

  it('receives existing, new and removed triggers', async () => {
    const more = ['add', 'update', 'remove']
      .map(
        (name) =>
          `def ${name}_trigger(self, trigger):\n    self.sensor_service.dispatch("tests.told", {"${name}": trigger["ref"]})`,
      )
      .join('\n');
    await site.triggers.registerType({ pack: 'tests', name: 'told' });
    await site.addSensor({ class_name: 'Watcher', text: passive('Watcher', FOREVER, more) });
    await site.container();
    const told = async (count: number) => (await site.untilEvents('tests.told', count)).map(({ payload }) => payload);
    expect(await told(1)).toEqual([{ add: 'tests.watcher' }]);
    const { store } = site.platform;
    const trigger = (await store.triggers.byKey('tests.watcher'))!;
    await site.triggers.createTrigger({ type: 'tests.watcher', pack: 'tests', name: 'second', parameters: { a: 1 } });
    expect((await told(2))[1]).toEqual({ add: 'tests.second' });
    await site.triggers.removeTrigger(trigger);
    expect((await told(3))[2]).toEqual({ remove: 'tests.watcher' });
  });

  it('waits for a slow store, and its event is stored once', async () => {
    let tries = 0;
    const away = Object.assign(new Error('no answer'), { name: 'MongoNetworkError' });
    await site.addSensor({
      class_name: 'Patient',
      text: passive('Patient', 'self.sensor_service.dispatch("tests.patient", {"n": 1})\nprint("told")'),
    });
    await site.container({
      dispatch: async (request) => {
        if (request.trigger !== 'tests.patient') return site.triggers.dispatch(request);
        tries++;
        // The second attempt is stored, but its response is lost.
        if (tries === 2) await site.triggers.dispatch(request);
        if (tries < 4) throw away;
        return site.triggers.dispatch(request);
      },
    });
    await site.untilState('tests.Patient', 'finished');
    expect(await site.events('tests.patient')).toHaveLength(1);
    expect(tries).toBe(4);
    expect(site.platform.log.join('')).toContain('told');
  });

  it('continues after an event that its trigger type refuses, which is logged', async () => {
    await site.triggers.registerType({
      pack: 'tests',
      name: 'strict',
      payload_schema: { type: 'object', properties: { n: { type: 'integer' } } },
    });
    const body = `
for trigger in ("tests.strict", "tests.unknown", {"type": "tests.nothing"}, 5):
    self.sensor_service.dispatch(trigger, {"n": "x"})
self.sensor_service.dispatch("tests.strict", {"n": 1})
`;
    await site.addSensor({ class_name: 'Sloppy', text: passive('Sloppy', body) });
    await site.container();
    await site.untilState('tests.Sloppy', 'finished');
    expect((await site.events('tests.strict')).map(({ payload }) => payload)).toEqual([{ n: 1 }]);
    const log = site.platform.log.join('');
    expect(log).toContain("'x' is not of type 'integer'");
    expect(log).toContain('st2.SensorWrapper.tests.Sloppy');
  });

  it('is not restarted after an exit with 0 until it is enabled again', async () => {
    await site.addSensor({ class_name: 'Once', text: passive('Once', 'self.sensor_service.dispatch("tests.once")') });
    await site.container();
    await site.untilState('tests.Once', 'finished');
    await site.changeSensor('tests.Once', { enabled: false });
    await site.untilState('tests.Once', 'stopped');
    await site.changeSensor('tests.Once', { enabled: true });
    await site.untilEvents('tests.once', 2);
  });

  it.each([
    ['fails in its file', 'import nothing_of_that_name', 'ModuleNotFoundError'],
    ['lacks its class', 'class Other: pass', 'There is no class "Broken"'],
    ['fails while it runs', passive('Broken', 'raise RuntimeError("no good")'), 'RuntimeError: no good'],
    ['exits by itself', passive('Broken', 'sys.exit(3)'), undefined],
  ])('is restarted repeatedly, with the reason, when it %s', async (_, text, reason) => {
    await site.addSensor({ class_name: 'Broken', text });
    await site.container();
    const state = await eventually(
      async () => {
        const found = await site.state('tests.Broken');
        return found && found.restarts >= 2 && found.state === 'waiting' && found.next_start_at !== undefined && found;
      },
      () => 'two restarts',
    );
    expect(state.last_exit?.exit_code).toBe(reason === undefined ? 3 : 1);
    if (reason !== undefined) expect(state.last_exit?.reason).toContain(reason);
  });

  it('is blocked with the reason when its file or the environment for its requirements is missing', async () => {
    await site.write('requirements.txt', 'requests\n');
    await site.addSensor({ class_name: 'Needy', text: passive('Needy', FOREVER) });
    await site.addSensor({ class_name: 'Lost', text: '', artifact_uri: 'file:///nowhere/tests/sensors/lost.py' });
    await site.container();
    expect((await site.untilState('tests.Needy', 'blocked')).reason).toContain('requirements.txt');
    expect((await site.untilState('tests.Lost', 'blocked')).reason).toBe(
      'There is no file "/nowhere/tests/sensors/lost.py"',
    );
  });
});

describePython('The process of a sensor', () => {
  it('has the API and a token in its environment, and no secrets in its arguments', async () => {
    await site.platform.store.configs.upsert({ pack: 'tests', values: { password: 'sesame' } });
    const body = `
names = ("ST2_API_URL", "SVC_API_URL", "ST2_AUTH_TOKEN", "SVC_AUTH_TOKEN")
arguments = open("/proc/self/cmdline").read()
self.sensor_service.dispatch("tests.open", {
    "environment": [os.environ[name] for name in names],
    "path": [part.split("/")[-1] for part in os.environ["PYTHONPATH"].split(":")][-1],
    "leak": "sesame" in arguments, "config": self.config})
${FOREVER}`;
    await site.addSensor({ class_name: 'Open', text: passive('Open', body) });
    const container = await site.container();
    const [event] = await site.untilEvents('tests.open', 1);
    const { environment, ...rest } = event!.payload as { environment: string[] };
    expect(rest).toEqual({ path: 'python', leak: false, config: { password: 'sesame' } });
    expect(environment.slice(0, 2)).toEqual(['http://api/v1', 'http://api/v1']);
    expect(environment[2]).toMatch(/^[0-9a-f]{32}$/);
    const tokens = site.platform.store.tokens;
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256').update(environment[2]!).digest('hex');
    expect(await tokens.byHash(hash)).toMatchObject({ user: 'sensors_container', service: true });
    await container.stop();
    await eventually(
      async () => (await tokens.byHash(hash)) === undefined,
      () => 'the token to be revoked',
    );
  });

  it('is stopped with everything that it has started, even if it resists', async () => {
    const body = `
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sh", "-c", "trap '' TERM; sleep 600; sleep 600"], start_new_session=True)
self.sensor_service.dispatch("tests.stubborn", {"pids": [os.getpid(), child.pid]})
while True:
    try:
        ${FOREVER}
    except BaseException:
        pass`;
    await site.addSensor({ class_name: 'Stubborn', text: passive('Stubborn', body) });
    const container = await site.container();
    const [event] = await site.untilEvents('tests.stubborn', 1);
    await container.stop();
    expect((event!.payload as { pids: number[] }).pids.filter(isAlive)).toEqual([]);
    expect(await site.state('tests.Stubborn')).toEqual(
      expect.not.objectContaining({ owner: expect.anything(), process: expect.anything() }),
    );
  });

  it('leaves nothing behind when it ends by itself', async () => {
    const body = `
child = subprocess.Popen(["sleep", "600"], start_new_session=True)
self.sensor_service.dispatch("tests.messy", {"pid": child.pid})`;
    await site.addSensor({ class_name: 'Messy', text: passive('Messy', body) });
    await site.container();
    const [event] = await site.untilEvents('tests.messy', 1);
    await untilGone((event!.payload as { pid: number }).pid);
  });
});
