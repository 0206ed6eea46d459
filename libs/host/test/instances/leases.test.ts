import { deferred } from '@switchyard/base';
import type { InstanceRecord } from '@switchyard/model';
import { anInstance, handClock, leakCheck } from '@switchyard/testkit/platform';
import { createInstanceLease, observeInstances, watchInstances } from '../../src';

const HEARTBEAT_MS = 100;
const LEASE_MS = 400;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
leakCheck();

/** The instances of a store, in memory; `down` makes it fail. */
function records() {
  const all = new Map<string, InstanceRecord>();
  const state = { down: false };
  const check = () => {
    if (state.down) throw new Error('the store is down');
  };
  return {
    all,
    state,
    register: async (record: InstanceRecord) => {
      check();
      all.set(record._id, { ...record });
    },
    beat: async (id: string) => {
      check();
      const record = all.get(id);
      if (record) record.beat++;
      return record !== undefined;
    },
    remove: async (id: string) => void all.delete(id),
    list: async (service?: string) =>
      structuredClone([...all.values()].filter((record) => service === undefined || record.service === service)),
  };
}

function bench() {
  const instances = records();
  const clock = handClock();
  const lapses: number[] = [];
  const warnings: string[] = [];
  const lease = createInstanceLease({
    instances,
    clock,
    logger: { warn: (text) => void warnings.push(text) },
    service: 'action-runner',
    heartbeatMs: HEARTBEAT_MS,
    leaseMs: LEASE_MS,
    slots: 3,
    pools: ['default'],
    onLapse: () => void lapses.push(clock.monotonicMs()),
  });
  const pass = async (ms: number, step = HEARTBEAT_MS) => {
    for (let passed = 0; passed < ms; passed += step) {
      clock.advance(step);
      await settled();
    }
  };
  return { instances, clock, lease, lapses, warnings, pass };
}

describe('a lease', () => {
  it('registers the process, sends heartbeats, and removes the record when stopped', async () => {
    const { instances, lease, pass, lapses, clock } = bench();
    await lease.start();
    expect(instances.all.get(lease.id)).toMatchObject({
      service: 'action-runner',
      slots: 3,
      pools: ['default'],
      beat: 0,
      pid: process.pid,
    });
    await pass(500);
    expect(instances.all.get(lease.id)?.beat).toBe(5);
    await lease.stop();
    expect(instances.all.size).toBe(0);
    expect([lapses, clock.pending]).toEqual([[], 0]);
  });

  it.each([
    ['a stopped process', async ({ clock }: ReturnType<typeof bench>) => void clock.advance(LEASE_MS + 1)],
    [
      'an unavailable store',
      async ({ pass, instances }: ReturnType<typeof bench>) => {
        instances.state.down = true;
        await pass(LEASE_MS + HEARTBEAT_MS);
        instances.state.down = false;
      },
    ],
    ['a record that another process removed', async ({ instances }: ReturnType<typeof bench>) => instances.all.clear()],
  ])('lapses after %s, and resumes', async (_, happen) => {
    const test = bench();
    await test.lease.start();
    await happen(test);
    await test.pass(HEARTBEAT_MS);
    expect(test.lapses).toHaveLength(1);
    expect(test.instances.all.has(test.lease.id)).toBe(true);
    await test.pass(HEARTBEAT_MS * 3);
    expect(test.lapses).toHaveLength(1);
    await test.lease.stop();
  });

  it('does not hold after a silence as long as itself, until its next heartbeat', async () => {
    const { clock, lease, pass } = bench();
    await lease.start();
    await pass(HEARTBEAT_MS);
    expect(lease.holds()).toBe(true);
    const renewed = lease.renewed();
    // As if the process were stopped: the timer of the heartbeat fires late.
    clock.advance(LEASE_MS);
    expect(lease.holds()).toBe(false);
    await renewed;
    expect(lease.holds()).toBe(true);
    const last = lease.renewed();
    await lease.stop();
    await last;
  });

  it('is not renewed by a heartbeat to which the store responds only after the lease', async () => {
    const { clock, lease, pass, instances } = bench();
    await lease.start();
    const response = deferred();
    const { beat } = instances;
    instances.beat = async (id) => {
      const known = await beat(id);
      await response.promise;
      return known;
    };
    await pass(HEARTBEAT_MS);
    instances.beat = beat;
    clock.advance(LEASE_MS);
    let isRenewed = false;
    const renewed = lease.renewed().then(() => (isRenewed = true));
    response.resolve();
    await settled();
    expect([lease.holds(), isRenewed]).toEqual([false, false]);
    await pass(HEARTBEAT_MS);
    await renewed;
    expect(lease.holds()).toBe(true);
    await lease.stop();
  });

  it('survives a short silence', async () => {
    const { instances, lease, pass, lapses, warnings } = bench();
    await lease.start();
    instances.state.down = true;
    await pass(LEASE_MS - HEARTBEAT_MS * 2);
    instances.state.down = false;
    await pass(HEARTBEAT_MS);
    expect([lapses.length, warnings.length]).toEqual([0, 2]);
    await lease.stop();
  });

  it('does not restore its record when it stops during a heartbeat', async () => {
    const { instances, lease, clock } = bench();
    await lease.start();
    clock.advance(HEARTBEAT_MS);
    await lease.stop();
    await settled();
    expect([instances.all.size, clock.pending]).toEqual([0, 0]);
  });
});

describe('an observer', () => {
  it('considers a process dead when its heartbeat has not changed for the time of the lease, by its own clock', async () => {
    const instances = records();
    const clock = handClock();
    const one = anInstance({ beat: 5, started_at: 1 });
    const other = anInstance({ service: 'scheduler' });
    await instances.register(one);
    await instances.register(other);
    const observer = observeInstances(instances, clock, LEASE_MS);
    const alive = async () => (await observer.alive('action-runner')).map(({ _id }) => _id);
    expect(await alive()).toEqual([one._id]);
    for (let passed = HEARTBEAT_MS; passed < LEASE_MS; passed += HEARTBEAT_MS) {
      clock.advance(HEARTBEAT_MS);
      expect(await alive()).toEqual([one._id]);
    }
    clock.advance(HEARTBEAT_MS - 1);
    expect(await alive()).toEqual([one._id]);
    clock.advance(1);
    expect(await alive()).toEqual([]);
    expect((await observer.look('action-runner')).dead.map(({ _id }) => _id)).toEqual([one._id]);
    await instances.beat(one._id);
    expect(await alive()).toEqual([one._id]);
    await instances.remove(one._id);
    expect(await observer.look('action-runner')).toEqual({ alive: [], dead: [] });
    expect((await observer.alive('scheduler')).map(({ _id }) => _id)).toEqual([other._id]);
  });

  it('gives a process that it has not observed for a while the time of a whole lease', async () => {
    const instances = records();
    const clock = handClock();
    const one = anInstance();
    await instances.register(one);
    const observer = observeInstances(instances, clock, LEASE_MS);
    await observer.alive('action-runner');
    await instances.beat(one._id);
    clock.advance(LEASE_MS * 10);
    expect(await observer.alive('action-runner')).toHaveLength(1);
  });

  it('with the renewals of its own lease considers no process dead while the store takes no writes', async () => {
    const { instances, lease, pass } = bench();
    const other = anInstance();
    await instances.register(other);
    await lease.start();
    const observer = observeInstances(instances, lease.renewals, LEASE_MS);
    const alive = async () => (await observer.alive('action-runner')).map(({ _id }) => _id);
    expect(await alive()).toEqual([other._id, lease.id]);
    instances.state.down = true;
    for (let looks = 0; looks < 12; looks++) {
      await pass(HEARTBEAT_MS);
      expect(await alive()).toEqual([other._id, lease.id]);
    }
    // Writes work again: the other process beats as well, or is dead one lease later.
    instances.state.down = false;
    await instances.beat(other._id);
    for (let passed = 0; passed < LEASE_MS; passed += HEARTBEAT_MS) {
      await pass(HEARTBEAT_MS);
      expect(await alive()).toEqual([other._id, lease.id]);
    }
    await pass(HEARTBEAT_MS);
    expect(await alive()).toEqual([lease.id]);
    await lease.stop();
  });

  it('considers no process dead after it was suspended itself, until it has read the records again', async () => {
    const instances = records();
    const clock = handClock();
    const [held, dead] = [anInstance(), anInstance()];
    await instances.register(held);
    await instances.register(dead);
    const observer = observeInstances(instances, clock, LEASE_MS);
    const alive = async () => (await observer.alive('action-runner')).map(({ _id }) => _id);
    await alive();
    clock.advance(LEASE_MS * 10);
    expect(await alive()).toEqual([held._id, dead._id]);
    await instances.beat(held._id);
    for (let passed = 0; passed < LEASE_MS; passed += HEARTBEAT_MS) {
      expect(await alive()).toContain(held._id);
      clock.advance(HEARTBEAT_MS);
    }
    expect(await alive()).toEqual([]);
    await instances.beat(held._id);
    expect(await alive()).toEqual([held._id]);
  });
});

it('a watch leaves out a killed process one lease later, also if nobody has asked in the meantime', async () => {
  const { instances, clock, lease, pass } = bench();
  const killed = anInstance({ service: 'scheduler' });
  await instances.register(killed);
  await lease.start();
  const watch = watchInstances({ instances, clock, logger: { warn: () => undefined }, leaseMs: LEASE_MS });
  const alive = async () => (await watch.alive()).map(({ _id }) => _id);
  watch.start();
  await pass(HEARTBEAT_MS);
  expect(await alive()).toEqual([killed._id, lease.id]);
  await pass(LEASE_MS * 2);
  expect(await alive()).toEqual([lease.id]);
  await watch.stop();
  await lease.stop();
  expect(clock.pending).toBe(0);
});
