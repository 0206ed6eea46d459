import { deferred } from '@switchyard/base';
import type { ActionRecord } from '@switchyard/model';
import {
  eventually,
  isAlive,
  leakCheck,
  manualRunner,
  startSystem,
  testClock,
  type SystemOptions,
  type TestSystem,
} from '@switchyard/testkit/system';
import { createSlots } from '../src/run-table';

const later = leakCheck();

async function started(options: SystemOptions = {}, action: Partial<ActionRecord> = {}): Promise<TestSystem> {
  const system = await startSystem(options);
  later(() => system.close());
  await system.register(action);
  return system;
}

/**
 * Makes storing the end of executions fail, as when the server of the store is down. @returns a function that ends the
 * failure
 */
function storeGoesAway({ executions }: TestSystem, onTry: () => unknown = () => undefined): () => void {
  const { transition } = executions;
  const unavailable = Object.assign(new Error('The store is unavailable.'), { name: 'MongoNetworkError' });
  const reject = () => {
    onTry();
    return Promise.reject(unavailable);
  };
  Object.assign(executions, { transition: reject });
  return () => void Object.assign(executions, { transition });
}

/** Makes all waits a thousand times shorter. */
function hastyClock() {
  const own = testClock();
  return { ...own, after: (delayMs: number, callback: () => void) => own.after(delayMs / 1000, callback) };
}

it('keeps a result while the store is unavailable for a long time', async () => {
  const system = await started({ runners: [{ clock: hastyClock() }] });
  const record = await system.request();
  const run = await system.manual.runOf(record._id);
  let tries = 0;
  const comesBack = storeGoesAway(system, () => ++tries === 15 && comesBack());
  run.end({ result: { n: 1 } });
  const ended = await system.untilStatus(record._id, 'succeeded');
  expect(await system.executions.results.load(ended, true)).toEqual({ n: 1 });
  expect(tries).toBe(15);
});

describe('stopping a runner', () => {
  it('takes no new work and waits for running work', async () => {
    const system = await started();
    const record = await system.request();
    const run = await system.manual.runOf(record._id);
    const stopping = system.runners[0]!.stop();
    const waiting = await system.request();
    await system.untilStatus(waiting._id, 'scheduled');
    run.end({ result: { finished: true } });
    await stopping;
    await system.runners[0]!.finished;
    expect((await system.executions.get(record._id)).status).toBe('succeeded');
    expect((await system.executions.get(waiting._id)).status).toBe('scheduled');
    expect(await system.platform.store.instances.list('action-runner')).toEqual([]);
    await system.addRunner();
    (await system.manual.runOf(waiting._id)).end();
    await system.untilStatus(waiting._id, 'succeeded');
  });

  it.each([
    ['after the waiting time', { exit_still_active_check: 0 }],
    ['at once if waiting is disabled', { graceful_shutdown: false }],
  ])('abandons work that still runs %s', async (_, actionrunner) => {
    const system = await started({ runners: [{ actionrunner }] }, { name: 'shell', runner_type: 'local-shell-cmd' });
    const record = await system.request({ action: 'tests.shell', parameters: { cmd: 'echo $$; sleep 300' } });
    const pid = await eventually(
      async () => Number((await system.platform.store.output.read(record._id))[0]?.data) || undefined,
      () => 'a process',
    );
    await system.runners[0]!.stop();
    expect((await system.executions.get(record._id)).status).toBe('abandoned');
    expect(isAlive(pid)).toBe(false);
  });

  it('does not wait forever for a store that is unavailable', async () => {
    const system = await started({ runners: [{ clock: hastyClock(), actionrunner: { graceful_shutdown: false } }] });
    const record = await system.request();
    await system.manual.runOf(record._id);
    const comesBack = storeGoesAway(system);
    await system.runners[0]!.stop();
    expect((await system.executions.get(record._id)).status).toBe('running');
    comesBack();
    await system.untilStatus(record._id, 'abandoned');
  });

  it('keeps the result of a run that ended before the stop', async () => {
    const system = await started({ runners: [{ clock: hastyClock(), actionrunner: { graceful_shutdown: false } }] });
    const record = await system.request();
    const run = await system.manual.runOf(record._id);
    const tried = deferred();
    const comesBack = storeGoesAway(system, () => tried.resolve());
    run.end({ result: { n: 1 } });
    await tried.promise;
    await system.runners[0]!.stop();
    expect(run.canceled).toBe(false);
    comesBack();
    const ended = await system.untilStatus(record._id);
    expect(ended.status).toBe('succeeded');
    expect(await system.executions.results.load(ended, true)).toEqual({ n: 1 });
  });

  it('still accepts cancellations of the work that it waits for', async () => {
    const system = await started();
    const record = await system.request();
    const run = await system.manual.runOf(record._id);
    const stopping = system.runners[0]!.stop();
    await system.executions.cancel(record._id, 'bob');
    await run.cancelAsked;
    await stopping;
    expect((await system.executions.get(record._id)).status).toBe('canceled');
  });

  it('does not start work that waited for a slot', async () => {
    const system = await started({ runners: [{ slots: 1 }] });
    const first = await system.request();
    const run = await system.manual.runOf(first._id);
    const second = await system.request();
    await system.untilStatus(second._id, 'scheduled');
    const stopping = system.runners[0]!.stop();
    run.end();
    await stopping;
    expect(system.manual.runs.items).toHaveLength(1);
    expect((await system.executions.get(second._id)).status).toBe('scheduled');
  });
});

it('killing a runner ends its processes and leaves nothing behind', async () => {
  const system = await started({}, { name: 'shell', runner_type: 'local-shell-cmd' });
  const record = await system.request({ action: 'tests.shell', parameters: { cmd: 'echo $$; sleep 300' } });
  const pid = await eventually(
    async () => Number((await system.platform.store.output.read(record._id))[0]?.data) || undefined,
    () => 'a process',
  );
  await system.runners[0]!.kill();
  await system.runners[0]!.finished;
  expect(isAlive(pid)).toBe(false);
  expect((await system.executions.get(record._id)).status).toBe('abandoned');
  expect(await system.platform.store.instances.list('action-runner')).toEqual([]);
});

it.each(['stop', 'kill'] as const)('%s releases everything that its plugins hold', async (verb) => {
  const closed = deferred();
  const plugin = { ...manualRunner({ name: 'keeping' }), close: async () => closed.resolve() };
  const system = await started({ plugins: [plugin] });
  await system.runners[0]![verb]();
  await closed.promise;
});

describe('slots', () => {
  /** Timers that fire when the test says so. */
  function bench(total: number) {
    const timers = new Set<() => void>();
    const after = (_: number, callback: () => void) => {
      timers.add(callback);
      return () => void timers.delete(callback);
    };
    const slots = createSlots(total, { after });
    return { slots, timers, expire: () => [...timers].forEach((fire) => fire()) };
  }

  it('are given to waiters in order', async () => {
    const { slots, timers } = bench(1);
    expect(await slots.take(1)).toBe(true);
    const order: number[] = [];
    const waits = [1, 2, 3].map((n) => slots.take(1).then((got) => void (got && order.push(n))));
    for (const wait of waits) {
      slots.give();
      await wait;
    }
    slots.give();
    expect(order).toEqual([1, 2, 3]);
    expect([slots.used, timers.size]).toEqual([0, 0]);
  });

  it('are not waited for longer than requested, and none is lost by a timeout', async () => {
    const { slots, expire } = bench(1);
    await slots.take(1);
    const late = slots.take(1);
    expire();
    slots.give();
    expect(await late).toBe(false);
    expect(slots.used).toBe(0);
    expect(await slots.take(1)).toBe(true);
  });

  it('are not handed out once closed', async () => {
    const { slots, timers } = bench(1);
    await slots.take(1);
    const waiting = slots.take(1);
    slots.close();
    slots.give();
    expect(await waiting).toBe(false);
    expect(await slots.take(1)).toBe(false);
    expect([slots.used, timers.size]).toEqual([0, 0]);
  });
});
