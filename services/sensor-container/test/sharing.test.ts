import { hostname } from 'node:os';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { newId } from '@switchyard/base';
import type { Service } from '@switchyard/host';
import { anInstance, eventually, isAlive, testClock } from '@switchyard/testkit/system';
import { processIdentity } from '@switchyard/subprocess';
import { describePython, FOREVER, passive } from './support/python';
import { openSensorSite, type SensorSite } from './support/sensor-site';

let site: SensorSite;
beforeEach(async () => void (site = await openSensorSite()));
afterEach(() => site.close());

const NAMES = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
const refs = NAMES.map((name) => `tests.${name}`);

async function addSix(): Promise<void> {
  const text = NAMES.map((name) => passive(name, FOREVER)).join('\n');
  for (const class_name of NAMES) await site.addSensor({ class_name, text });
}

/** The container of each sensor, once every sensor runs. */
const owners = (done: (owners: Map<string, string[]>) => boolean) =>
  eventually(
    async () => {
      const states = await Promise.all(refs.map((ref) => site.state(ref)));
      if (!states.every((state) => state?.state === 'running' && state.process)) return undefined;
      const result = new Map<string, string[]>();
      for (const state of states) {
        const owner = state?.owner?.instance ?? '';
        result.set(owner, [...(result.get(owner) ?? []), state!._id]);
      }
      return done(result) && result;
    },
    () => `sensors to be divided\n${site.platform.log.join('')}`,
  );

/** The ids of living sensor processes, by sensor. */
async function livingProcesses(): Promise<string[]> {
  const log = await site.events('core.st2.sensor.process_spawn');
  return log
    .map(({ payload }) => payload as { ref: string; pid: number })
    .filter(({ pid }) => isAlive(pid))
    .map(({ ref }) => ref)
    .sort();
}

describePython('Several containers', () => {
  it('share enabled sensors evenly, regardless of disabled ones', async () => {
    await addSix();
    for (const ref of refs.slice(2)) await site.changeSensor(ref, { enabled: false });
    await site.container();
    await site.container();
    const [one, two] = refs as [string, string];
    await eventually(
      async () => {
        const states = await Promise.all([site.state(one), site.state(two)]);
        const instances = states.map((state) => state?.state === 'running' && state.owner?.instance);
        return instances.every(Boolean) && instances[0] !== instances[1];
      },
      () => `each container to have one sensor\n${site.platform.log.join('')}`,
    );
  });

  it('share the sensors, take over those of one that leaves, and never run one twice', async () => {
    await addSix();
    const first = await site.container();
    await owners((parts) => parts.size === 1);
    const second = await site.container();
    const parts = await owners((each) => each.size === 2);
    expect([...parts.values()].map((sensors) => sensors.length)).toEqual([3, 3]);
    expect(await livingProcesses()).toEqual([...refs].sort());
    await first.stop();
    await owners((parts) => parts.size === 1);
    expect(await livingProcesses()).toEqual([...refs].sort());
    await second.stop();
    expect(await livingProcesses()).toEqual([]);
  });

  it('take over those of a dead container, after its processes were ended', async () => {
    await site.addSensor({ class_name: 'Left', text: passive('Left', FOREVER) });
    const instance = anInstance({ service: 'sensor-container', host: hostname(), pools: ['sensors'] });
    const { store } = site.platform;
    await store.instances.register(instance);
    const left = spawn('sh', ['-c', "trap '' TERM; sleep 600; sleep 600"], {
      detached: true,
      env: { ...process.env, SVC_SENSOR_RUN: `${instance._id}:tests.Left` },
    });
    const ended = once(left, 'exit');
    const owner = { instance: instance._id, host: hostname(), pid: 99_999 };
    await store.sensorStates.claim('tests.Left', owner);
    const { pid, startTime: start_time, bootId: boot_id } = processIdentity(left.pid!);
    await store.sensorStates.change('tests.Left', instance._id, {
      set: { state: 'running', process: { host: hostname(), pid, start_time, boot_id } },
    });
    await site.container();
    await ended;
    const state = await eventually(
      async () => {
        const found = await site.state('tests.Left');
        return found?.state === 'running' && found.owner?.instance !== instance._id && found;
      },
      () => 'the sensor to be taken over',
    );
    expect(isAlive(state.process!.pid)).toBe(true);
    expect(await store.instances.get(instance._id)).toBeUndefined();
  });

  it('leave a sensor to another host until that one is dead', async () => {
    await site.addSensor({ class_name: 'Far', text: passive('Far', FOREVER) });
    const instance = anInstance({ service: 'sensor-container', host: 'elsewhere', pools: [] });
    const { store } = site.platform;
    await store.instances.register(instance);
    await store.sensorStates.claim('tests.Far', { instance: instance._id, host: 'elsewhere', pid: 1 });
    await site.container();
    const beats = async () => {
      await store.instances.beat(instance._id);
      return (await site.state('tests.Far'))?.owner?.instance === instance._id;
    };
    for (let round = 0; round < 5; round++) expect(await beats()).toBe(true);
    await store.instances.remove(instance._id);
    await site.untilState('tests.Far', 'running');
  });

  it('that were considered dead store no more events of sensors that others have taken, and end these', async () => {
    const body = `
while True:
    self.sensor_service.dispatch("tests.lent", {"pid": os.getpid()})
    time.sleep(0.03)`;
    await site.addSensor({ class_name: 'Lent', text: passive('Lent', body) });
    const frozen = testClock();
    await site.container({ clock: frozen });
    const before = await site.untilState('tests.Lent', 'running');
    frozen.freeze();
    await site.container();
    const after = await eventually(
      async () => {
        const state = await site.state('tests.Lent');
        return state?.state === 'running' && state.owner?.instance !== before.owner?.instance && state;
      },
      () => 'the other one to take over',
    );
    const told = async (pid: number) =>
      (await site.events('tests.lent')).filter(({ payload }) => payload['pid'] === pid);
    await eventually(
      async () => (await told(after.process!.pid)).length > 10,
      () => 'an event of the new process',
    );
    const late = (await told(before.process!.pid)).filter(
      ({ occurrence_time: at }) => at > (after.started_at ?? Number.POSITIVE_INFINITY),
    );
    expect(late).toEqual([]);
    frozen.thaw();
    await eventually(
      () => !isAlive(before.process!.pid),
      () => 'the first process to end',
    );
    expect((await site.state('tests.Lent'))?.owner).toEqual(after.owner);
  });
});

describePython('A container', () => {
  it('starts and stops sensors as they are added, changed and removed', async () => {
    const container: Service = await site.container();
    await site.addSensor({ class_name: 'Live', enabled: false, text: passive('Live', FOREVER) });
    expect(await site.state('tests.Live')).toBeUndefined();
    await site.changeSensor('tests.Live', { enabled: true });
    const first = await site.untilState('tests.Live', 'running');
    await site.changeSensor('tests.Live', { description: 'changed' });
    const second = await eventually(
      async () => {
        const state = await site.state('tests.Live');
        return state?.state === 'running' && state.process && state.process.pid !== first.process?.pid && state;
      },
      () => 'a new process',
    );
    expect(isAlive(first.process!.pid)).toBe(false);
    await site.changeSensor('tests.Live', { enabled: false });
    await site.untilState('tests.Live', 'stopped');
    expect(isAlive(second.process!.pid)).toBe(false);
    await site.removeSensor('tests.Live');
    await eventually(
      async () => !(await site.state('tests.Live')),
      () => 'the state to be removed',
    );
    expect(await container.health()).toMatchObject({ ready: true, checks: { sensors: '0 of 0 running' } });
  });

  it('of a partition runs the sensors that are listed and enabled', async () => {
    await addSix();
    await site.changeSensor('tests.Two', { enabled: false });
    await site.datastore.put({ scope: 'system', name: 'east.sensor_partition' }, { value: 'tests.One,tests.Two' });
    const sensorcontainer = { sensor_node_name: 'east', partition_provider: { name: 'kvstore' } };
    await site.container({ sensorcontainer });
    await site.untilState('tests.One', 'running');
    await site.datastore.put({ scope: 'system', name: 'east.sensor_partition' }, { value: 'tests.Three' });
    await site.untilState('tests.Three', 'running');
    await site.untilState('tests.One', 'stopped');
    expect(await livingProcesses()).toEqual(['tests.Three']);
  });

  it('for one sensor runs it even when it is disabled, and ends with its exit code', async () => {
    await site.addSensor({ class_name: 'Alone', enabled: false, text: passive('Alone', 'sys.exit(7)') });
    await site.addSensor({ class_name: 'Other', text: passive('Other', FOREVER), file: 'other.py' });
    const codes: number[] = [];
    const service = await site.container({
      sensorcontainer: { sensor_ref: 'tests.Alone', single_sensor_mode: true },
      onSingleEnd: (code) => codes.push(code),
    });
    await service.finished;
    expect(codes).toEqual([7]);
    expect(await site.state('tests.Other')).toBeUndefined();
  });

  it.each([
    [{ single_sensor_mode: true }, 'needs the reference of a sensor'],
    [{ sensor_ref: 'tests.Nobody' }, 'There is no sensor "tests.Nobody"'],
    [{ partition_provider: { name: 'file', partition_file: `/nowhere/${newId()}` } }, 'ENOENT'],
  ])('does not start with %j', async (sensorcontainer, reason) => {
    await expect(site.container({ sensorcontainer })).rejects.toThrow(reason);
  });
});
