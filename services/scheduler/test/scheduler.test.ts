import { deferred, earliestId, HOUR_MS, MINUTE_MS, MS_MICROS } from '@switchyard/base';
import { createExecutions, WORKFLOW_POOL } from '@switchyard/executions';
import { executionStatus } from '@switchyard/messaging';
import type { ExecutionRecord, Status } from '@switchyard/model';
import {
  anExecution,
  anInstance,
  eventually,
  handClock,
  keepAlive,
  leakCheck,
  openTestPlatform,
  startSystem,
  type SystemOptions,
  type TestPlatform,
  type TestSystem,
  withReconnects,
} from '@switchyard/testkit/system';
import { createScheduler } from '../src/scheduler';
import { sweepOverdue } from '../src/sweep';

const later = leakCheck();

async function started(options: SystemOptions = {}): Promise<TestSystem> {
  const system = await startSystem(options);
  later(() => system.close());
  await system.register();
  return system;
}

const requestMany = async (system: TestSystem, count: number, request: object = {}) => {
  const all: ExecutionRecord[] = [];
  for (let i = 0; i < count; i++) all.push(await system.request(request));
  return all;
};

const countStatus = (system: TestSystem, status: Status) => system.platform.store.executions.count({ status });

/** Runners that take no executions, so that executions released to them stay scheduled. */
async function pretendRunner({ platform }: TestSystem, slots: number, pools = ['default']): Promise<void> {
  const instance = anInstance({ slots, pools, host: 'pretended' });
  await platform.store.instances.register(instance);
  later(keepAlive(platform.store, instance._id, 100));
}

/** Gives work that waits for the store time to continue. */
async function settle({ store }: TestPlatform): Promise<void> {
  for (let call = 0; call < 15; call++) {
    await store.ping();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the scheduler', () => {
  it('makes few calls to the store while idle', async () => {
    const platform = await openTestPlatform({ DEFAULT: { profile: true } });
    later(() => platform.close());
    const clock = handClock();
    const executions = createExecutions({ ...platform, clock, publisher: platform.bus.publisher(), webUrl: '' });
    const scheduler = createScheduler({ ...platform, clock, executions });
    await scheduler.start();
    later(() => scheduler.stop());
    const isAsked = (line: string) => (JSON.parse(line) as { collection?: string }).collection === 'executions';
    await settle(platform);
    const before = platform.log.filter(isAsked).length;
    for (let second = 0; second < 24; second++) {
      clock.advance(1000);
      await settle(platform);
    }
    // Every two seconds one query of the sweep and one of the release, and occasionally a whole look and a count.
    expect(platform.log.filter(isAsked).length).toBeLessThan(before + 45);
  });

  it('looks only at the pool of a request for which it knows no room, and at the others a second later', async () => {
    const platform = await openTestPlatform();
    later(() => platform.close());
    const clock = handClock();
    const executions = createExecutions({ ...platform, clock, publisher: platform.bus.publisher(), webUrl: '' });
    const { store, bus } = platform;
    await store.instances.register(anInstance({ slots: 4, pools: ['default', 'gpu'] }));
    let seen: string[] = [];
    const backlog: typeof executions.records.backlog = (pool, ...more) => {
      seen.push(pool);
      return executions.records.backlog(pool, ...more);
    };
    const records = { ...executions.records, backlog };
    const scheduler = createScheduler({ ...platform, clock, executions: { ...executions, records } });
    await scheduler.start();
    later(() => scheduler.stop());
    await eventually(
      () => seen.includes(WORKFLOW_POOL),
      () => `the end of the first look, which has covered ${seen.join(', ')}`,
    );
    await settle(platform);
    seen = [];
    // More than the room that the first look has found.
    for (let count = 0; count < 4; count++) {
      const { _id: id, action_ref: ref } = (await store.executions.insert(anExecution({ due: ['scheduler'] }))).record;
      await bus.publisher().publish(executionStatus({ id, ref, status: 'requested', revision: 1 }));
      await eventually(
        async () => (await store.executions.get(id))?.status === 'scheduled',
        () => 'the release',
      );
    }
    await settle(platform);
    expect(new Set(seen)).toEqual(new Set(['default']));
    clock.advance(1000);
    await eventually(
      () => seen.includes('gpu'),
      () => 'a look at all pools',
    );
  });

  it('uses a slot that becomes free while it looks at a full pool', async () => {
    const platform = await openTestPlatform();
    later(() => platform.close());
    const clock = handClock(Date.now() + MINUTE_MS);
    const executions = createExecutions({ ...platform, clock, publisher: platform.bus.publisher(), webUrl: '' });
    const { store } = platform;
    await store.instances.register(anInstance({ slots: 1, pools: ['default'] }));
    // One that runs, and one ahead.
    const active = [0, 1].map(() => anExecution({ status: 'running', slot: 'default' }));
    const waiting = anExecution({ due: ['scheduler'] });
    for (const each of [...active, waiting]) await store.executions.insert(each);
    const [counted, goesOn] = [deferred(), deferred()];
    const countActive = async (pool: string) => {
      const count = await store.executions.countActive(pool);
      if (pool === 'default') counted.resolve();
      if (pool === 'default') await goesOn.promise;
      return count;
    };
    const records = { ...executions.records, countActive };
    const scheduler = createScheduler({ ...platform, clock, executions: { ...executions, records } });
    await scheduler.start();
    later(() => scheduler.stop());
    await counted.promise;
    await executions.transition(active[0]!, 'succeeded', { from: ['running'] });
    await settle(platform);
    goesOn.resolve();
    let passedMs = 0;
    await eventually(
      async () => {
        // Less than the interval of looks without a reason.
        if (passedMs++ < 100) clock.advance(1);
        return (await store.executions.get(waiting._id))?.status === 'scheduled';
      },
      () => 'the waiting execution to be scheduled',
    );
  });

  it('releases at most as many as there are slots, plus a quarter ahead', async () => {
    const system = await started({ runners: [] });
    await requestMany(system, 30);
    await pretendRunner(system, 8);
    await eventually(
      async () => (await countStatus(system, 'scheduled')) >= 10,
      () => 'ten scheduled ones',
    );
    await requestMany(system, 3);
    await system.stopServices();
    expect(await countStatus(system, 'scheduled')).toBe(10);
    expect(await countStatus(system, 'requested')).toBe(23);
  });

  it('releases executions that a process with a fast clock has requested, although they have to wait', async () => {
    const system = await started({ runners: [] });
    const aheadMs = Date.now() + HOUR_MS;
    const time = aheadMs * MS_MICROS;
    const times = { start_timestamp: time, schedule_at: time, due_at: time };
    const ahead = anExecution({ _id: `${earliestId(aheadMs)}${'0'.repeat(16)}`, due: ['scheduler'], ...times });
    const delayed = anExecution({ due: ['scheduler'], delay: HOUR_MS, schedule_at: time, due_at: time });
    for (const each of [ahead, delayed]) {
      await system.platform.store.executions.insert(each);
      const { _id: id, action_ref: ref, status, revision } = each;
      await system.platform.bus.publisher().publish(executionStatus({ id, ref, status, revision, trace: null }));
    }
    await pretendRunner(system, 8);
    await system.untilStatus(ahead._id, 'scheduled');
    expect((await system.executions.get(delayed._id)).status).toBe('requested');
  });

  it('releases nothing while there is no runner, and nothing to a pool without one', async () => {
    const system = await started({ runners: [{ slots: 2 }] });
    const waiting = await system.request({ pool: 'gpu' });
    const other = await system.request();
    (await system.manual.runOf(other._id)).end();
    await system.untilStatus(other._id, 'succeeded');
    const told = { status: 'delayed', waiting_for: 'an action runner with the label "gpu"' };
    expect(await system.executions.get(waiting._id)).toMatchObject(told);
    await system.addRunner({ labels: ['gpu'] });
    (await system.manual.runOf(waiting._id)).end();
    expect((await system.untilStatus(waiting._id)).status).toBe('succeeded');
  });

  it('releases executions without a pool to no runner that only runs those of its labels', async () => {
    const system = await started({ runners: [{ slots: 4, labels: ['gpu'], actionrunner: { default_pool: false } }] });
    const usual = await system.request();
    const special = await system.request({ pool: 'gpu' });
    (await system.manual.runOf(special._id)).end();
    await system.untilStatus(special._id, 'succeeded');
    expect((await system.executions.get(usual._id)).status).toBe('requested');
    await system.addRunner();
    (await system.manual.runOf(usual._id)).end();
    expect((await system.untilStatus(usual._id)).status).toBe('succeeded');
  });

  it('leaves workflows of a tree that is being canceled to the engine that cancels it', async () => {
    const system = await started({ runners: [], schedulers: 0 });
    const { executions } = system.platform.store;
    const root = anExecution({
      action_is_workflow: true,
      status: 'canceling',
      log: [{ status: 'canceling', timestamp: 1000 }],
    });
    const waiting = { action_is_workflow: true, pool: 'workflows', due: ['scheduler' as const], due_at: 1 };
    const below = anExecution({ ...waiting, root: root._id, start_timestamp: 1000, schedule_at: 1 });
    const other = anExecution({ ...waiting, root: 'another', schedule_at: 2 });
    const late = anExecution({ ...waiting, root: root._id, start_timestamp: 1001, schedule_at: 3 });
    for (const each of [root, below, other, late]) await executions.insert(each);
    await system.addScheduler();
    await system.untilStatus(other._id, 'scheduled');
    await system.untilStatus(late._id, 'scheduled');
    expect((await executions.get(below._id))?.status).toBe('requested');
    await executions.change(root._id, { status: ['canceling'] }, { set: { status: 'canceled' } });
    await system.untilStatus(below._id, 'scheduled');
  });

  it('looks at the other pools while engines begin workflows as fast as they are released', async () => {
    const platform = await openTestPlatform();
    later(() => platform.close());
    const { executions: records } = platform.store;
    const waiting = () => ({ due: ['scheduler' as const], due_at: 1, schedule_at: 1 });
    const workflow = () => anExecution({ ...waiting(), action_is_workflow: true, pool: 'workflows' });
    const executions = createExecutions({ ...platform, publisher: platform.bus.publisher(), webUrl: '' });
    let [isGrowing, begun] = [true, 0];
    /** Begins each workflow at once, and requests another one. */
    const transition: typeof executions.transition = async (record, to, options) => {
      const moved = await executions.transition(record, to, options);
      if (!isGrowing || moved?.pool !== 'workflows') return moved;
      await records.change(moved._id, { status: ['scheduled'] }, { set: { status: 'running' } });
      await records.insert(workflow());
      begun += 1;
      return moved;
    };
    for (let count = 0; count < 60; count++) await records.insert(workflow());
    const runner = anInstance({ slots: 4, pools: ['default'] });
    await platform.store.instances.register(runner);
    later(keepAlive(platform.store, runner._id, 100));
    const scheduler = createScheduler({ ...platform, executions: { ...executions, transition } });
    await scheduler.start();
    try {
      await eventually(
        async () => begun > 100,
        () => 'workflows that have begun',
      );
      const other = anExecution(waiting());
      await records.insert(other);
      await eventually(
        async () => (await records.get(other._id))?.status === 'scheduled',
        () => `the release of an action; ${begun} workflows have begun`,
      );
    } finally {
      isGrowing = false;
      await scheduler.stop();
    }
  });

  it('reports executions that wait for a label whose last runner has gone', async () => {
    const system = await started({ runners: [{ slots: 1 }, { slots: 1, labels: ['gpu'] }] });
    const all = await requestMany(system, 4, { pool: 'gpu' });
    await system.manual.runOf(all[0]!._id);
    expect((await system.executions.get(all[3]!._id)).status).toBe('requested');
    await system.runners[1]!.kill();
    const told = { waiting_for: 'an action runner with the label "gpu"' };
    expect(await system.untilStatus(all[3]!._id, 'delayed')).toMatchObject(told);
  });

  it('orders by priority, then by time', async () => {
    const system = await started({ runners: [] });
    const low = await requestMany(system, 2, { priority: -1 });
    const usual = await requestMany(system, 2);
    const urgent = await requestMany(system, 2, { priority: 5 });
    await system.addRunner({ slots: 1 });
    const order: string[] = [];
    for (let i = 0; i < 6; i++) {
      const runs = await system.manual.runs.until(i + 1);
      order.push(runs[i]!.request.executionId);
      runs[i]!.end();
    }
    // One is queued besides the running one, so only executions that wait in the store have a defined order.
    expect(order).toEqual([...urgent, ...usual, ...low].map(({ _id }) => _id));
  });

  it('lets a late urgent request overtake the backlog', async () => {
    const system = await started({ runners: [{ slots: 1 }] });
    const [first] = await requestMany(system, 6);
    const run = await system.manual.runOf(first!._id);
    const urgent = await system.request({ priority: 9 });
    run.end();
    for (let i = 1; i < 4; i++) (await system.manual.runs.until(i + 1))[i]!.end();
    const began = system.manual.runs.items.map(({ request }) => request.executionId);
    // Two had been released before it came.
    expect(began.indexOf(urgent._id)).toBeLessThanOrEqual(2);
    await eventually(
      async () => {
        system.manual.runs.items.forEach((each) => each.end());
        return (await countStatus(system, 'succeeded')) === 7;
      },
      () => 'all ended',
    );
  });

  it('continues as soon as a slot is free', async () => {
    const system = await started({ runners: [{ slots: 2 }] });
    const all = await requestMany(system, 40);
    for (let i = 0; i < all.length; i++) (await system.manual.runs.until(i + 1))[i]!.end();
    for (const { _id } of all) await system.untilStatus(_id, 'succeeded');
    expect(system.manual.runs.items).toHaveLength(40);
    expect(await system.platform.store.executions.countActive('default')).toBe(0);
  });

  it('holds a delayed execution back until its time', async () => {
    const system = await started();
    const delayMs = 400;
    const record = await system.request({ delay: delayMs });
    await system.untilStatus(record._id, 'delayed');
    (await system.manual.runOf(record._id)).end();
    const ended = await system.untilStatus(record._id, 'succeeded');
    expect(ended.log.map(({ status }) => status)).toEqual([
      'requested',
      'delayed',
      'scheduled',
      'running',
      'succeeded',
    ]);
    const scheduledAt = ended.log.find(({ status }) => status === 'scheduled')!.timestamp;
    const late = (scheduledAt - record.start_timestamp) / 1000 - delayMs;
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(500);
  });

  it.each([2, 3])('%d schedulers together release nothing twice', async (schedulers) => {
    const system = await started({ schedulers, runners: [{ slots: 4 }, { slots: 4 }] });
    const all = await Promise.all(Array.from({ length: 60 }, () => system.request()));
    for (let i = 0; i < all.length; i++) (await system.manual.runs.until(i + 1))[i]!.end();
    for (const { _id } of all) {
      const { log } = await system.untilStatus(_id, 'succeeded');
      expect(log.map(({ status }) => status)).toEqual(['requested', 'scheduled', 'running', 'succeeded']);
    }
    expect(system.manual.runs.items).toHaveLength(60);
  });

  it('shares the slots of every runner of a pool', async () => {
    // All of them wait before the scheduler starts, so none is released with a permit.
    const system = await started({ schedulers: 0, runners: [{ slots: 3 }, { slots: 3 }] });
    await requestMany(system, 12);
    await system.addScheduler();
    await system.manual.runs.until(6);
    await eventually(
      async () => (await countStatus(system, 'scheduled')) === 2,
      () => 'two ahead',
    );
    expect(await countStatus(system, 'running')).toBe(6);
    expect(await countStatus(system, 'requested')).toBe(4);
    for (let i = 0; i < 12; i++) (await system.manual.runs.until(i + 1))[i]!.end();
    await eventually(
      async () => (await countStatus(system, 'succeeded')) === 12,
      () => 'all ended',
    );
  });
});

describe('work whose message was lost', () => {
  const definitionOf = async (system: TestSystem) => (await system.request({ delay: 3_600_000 })).definition;

  it.each<[string, Partial<ExecutionRecord>]>([
    ['requested', { status: 'requested', due: ['scheduler'], due_at: 1 }],
    ['delayed', { status: 'delayed', due: ['scheduler'], due_at: 1 }],
    ['scheduled', { status: 'scheduled', slot: 'default', due: ['action-runner'], due_at: 1 }],
  ])('runs anyway if it is %s', async (_, fields) => {
    const system = await started();
    const record = anExecution({ ...fields, definition: await definitionOf(system) });
    await system.platform.store.executions.insert(record);
    (await system.manual.runOf(record._id)).end();
    expect((await system.untilStatus(record._id)).status).toBe('succeeded');
  });

  it('is canceled if it is canceling', async () => {
    const system = await started();
    const fields = { status: 'canceling' as const, slot: 'default', due: ['action-runner' as const], due_at: 1 };
    const { record } = await system.platform.store.executions.insert(anExecution(fields));
    expect((await system.untilStatus(record._id)).status).toBe('canceled');
  });

  it('runs after a restart of everything', async () => {
    const platform = await openTestPlatform();
    const first = await startSystem({ platform, runners: [], schedulers: 0 });
    await first.register();
    const record = await first.request();
    const scheduled = await first.request();
    await first.executions.transition(scheduled, 'scheduled', { due: ['action-runner'] });
    await first.stopServices();
    const second = await startSystem({ platform: await platform.reopen() });
    later(() => second.close());
    for (const { _id } of [record, scheduled]) {
      (await second.manual.runOf(_id)).end();
      expect((await second.untilStatus(_id)).status).toBe('succeeded');
    }
  });

  it('gets its lost message again as soon as a lost connection to the broker is replaced', async () => {
    const opened = await openTestPlatform({ sweep: { older_than_ms: 3_600_000 } });
    const { platform, reconnect } = withReconnects(opened);
    const system = await started({ platform, runners: [] });
    const requested = await system.request();
    const publisher = { publish: async () => {}, publishAll: async () => {} };
    const { store, sealer, clock, logger } = platform;
    const losing = createExecutions({ store, sealer, clock, logger, publisher, webUrl: '' });
    await losing.transition(requested, 'scheduled', { due: ['action-runner'] });
    await system.addRunner();
    reconnect();
    (await system.manual.runOf(requested._id)).end();
    expect((await system.untilStatus(requested._id)).status).toBe('succeeded');
  });

  it('gets its message again from time to time, not at every sweep', async () => {
    const platform = await openTestPlatform();
    later(() => platform.close());
    const { store, clock } = platform;
    const reminded: string[] = [];
    const announce = { remind: ({ _id }: ExecutionRecord) => void reminded.push(_id) } as never;
    const executions = { records: store.executions, announce };
    await store.executions.insert(anExecution({ due: ['notifier', 'workflow-engine'], due_at: clock.nowMicros() }));
    await store.executions.insert(anExecution({ due: ['scheduler'], due_at: 1 }));
    expect(await sweepOverdue({ executions, clock }, 60_000)).toBe(0);
    expect(await sweepOverdue({ executions, clock }, 0)).toBeGreaterThan(0);
    expect(await sweepOverdue({ executions, clock }, 60_000)).toBe(0);
    expect(new Set(reminded).size).toBe(1);
  });

  it('gets its message in a small batch, however many are due', async () => {
    const platform = await openTestPlatform();
    later(() => platform.close());
    const { store, clock } = platform;
    const reminded: string[] = [];
    const sizes: number[] = [];
    const postpone = async (ids: readonly string[], dueAt: number) => {
      sizes.push(ids.length);
      await store.executions.postpone(ids, dueAt);
    };
    const executions = {
      records: { ...store.executions, postpone },
      announce: { remind: ({ _id }: ExecutionRecord) => void reminded.push(_id) } as never,
    };
    const DUE = 120;
    for (let each = 0; each < DUE; each++)
      await store.executions.insert(anExecution({ due: ['workflow-engine'], due_at: 1 }));
    expect(await sweepOverdue({ executions, clock }, 0)).toBe(DUE);
    expect(new Set(reminded).size).toBe(DUE);
    expect(Math.max(...sizes)).toBeLessThan(DUE / 2);
    expect(await store.executions.overdue('workflow-engine', 2, DUE)).toEqual([]);
  });
});

it('a scheduler that was killed leaves nothing behind', async () => {
  const system = await started({ runners: [] });
  await system.schedulers[0]!.kill();
  await system.schedulers[0]!.finished;
  expect(system.schedulers[0]!.health()).toMatchObject({ live: true });
});

it('the scheduler handles as many requests at a time as its pool size allows', async () => {
  const POOL = 3;
  const platform = await openTestPlatform({ scheduler: { pool_size: POOL } });
  later(() => platform.close());
  const { config, store, bus, clock, logger, metrics, sealer } = platform;
  const executions = createExecutions({ store, sealer, clock, logger, publisher: bus.publisher(), webUrl: '' });
  const gate = deferred();
  let atWork = 0;
  let most = 0;
  let handled = 0;
  const get = async () => {
    most = Math.max(most, ++atWork);
    await gate.promise;
    atWork--;
    handled++;
    return undefined;
  };
  const slow = { ...executions, records: { ...executions.records, get } };
  const scheduler = createScheduler({ config, store, bus, executions: slow, clock, logger, metrics });
  await scheduler.start();
  later(() => scheduler.stop());
  const request = { ref: 'core.noop', status: 'requested', revision: 1, delayed: true } as const;
  await bus
    .publisher()
    .publishAll(Array.from({ length: 3 * POOL }, (_, index) => executionStatus({ ...request, id: `e${index}` })));
  await eventually(
    () => atWork === POOL,
    () => `${atWork} requests at work`,
  );
  gate.resolve();
  await eventually(
    () => handled === 3 * POOL,
    () => `${handled} handled requests`,
  );
  expect(most).toBe(POOL);
});
