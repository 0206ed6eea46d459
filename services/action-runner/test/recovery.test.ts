import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { deferred, newId } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import { observeInstances } from '@switchyard/host';
import type { ActionRecord, Claim, ExecutionRecord, Status } from '@switchyard/model';
import { processIdentity } from '@switchyard/subprocess';
import {
  anExecution,
  anInstance,
  eventually,
  isAlive,
  keepAlive,
  leakCheck,
  openTestPlatform,
  startSystem,
  testClock,
  untilGone,
  type SystemOptions,
  type TestSystem,
} from '@switchyard/testkit/system';

import { recoverExecutions } from '../src/recovery';

const later = leakCheck();
const logOf = ({ log }: ExecutionRecord) => log.map(({ status }) => status);

async function started(options: SystemOptions = {}, action: Partial<ActionRecord> = {}): Promise<TestSystem> {
  const system = await startSystem(options);
  later(() => system.close());
  await system.register(action);
  return system;
}

/** Starts a process as an action does: its own session, the execution's marker, children that have left the group. */
async function leftProcess(executionId: string): Promise<{ child: ChildProcess; pids: number[] }> {
  const script = "setsid sh -c 'echo $$; exec sleep 300' & echo $$; wait";
  const child = spawn('sh', ['-c', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, SVC_ACTION_EXECUTION_ID: executionId },
  });
  const exited = once(child, 'exit');
  let text = '';
  while (text.split('\n').length < 3) text += String((await once(child.stdout, 'data'))[0]);
  const pids = text.trim().split('\n').map(Number);
  later(async () => {
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await exited;
  });
  return { child, pids };
}

/** Creates what a runner leaves behind when its process dies. */
async function deadOwner(system: TestSystem, given: Partial<ExecutionRecord> = {}, host = hostname()) {
  const { store } = system.platform;
  const instance = anInstance({ host, slots: 5, pools: ['default'] });
  await store.instances.register(instance);
  const _id = newId();
  const { child, pids } = await leftProcess(_id);
  const { pid, startTime, bootId } = processIdentity(child.pid!);
  const claim: Claim = { number: 2, instance: instance._id, host, pid: 99_999 };
  const definition = (await system.request({ delay: 3_600_000 })).definition;
  const record = anExecution({
    _id,
    status: 'running',
    slot: 'default',
    claim,
    definition,
    process: { host, pid, start_time: startTime, boot_id: bootId },
    ...given,
  });
  await store.executions.insert(record);
  return { record, pids, instance };
}

describe('an execution whose runner has died', () => {
  it.each<[string, Partial<ExecutionRecord>, Status]>([
    ['is abandoned', {}, 'abandoned'],
    ['is canceled if that was requested', { status: 'canceling' }, 'canceled'],
    ['is abandoned if it cannot be restarted from its status', { status: 'pausing', idempotent: true }, 'abandoned'],
  ])('%s, after its processes were ended', async (_, given, end) => {
    const system = await started();
    const { record, pids, instance } = await deadOwner(system, given);
    const ended = await system.untilStatus(record._id);
    expect(ended.status).toBe(end);
    // The execution was not decided before, so the mark is cleared in the same write.
    expect(pids.filter(isAlive)).toEqual([]);
    for (const gone of ['process', 'claim', 'slot']) expect(ended).not.toHaveProperty(gone);
    if (end === 'abandoned')
      expect((await system.executions.results.load(ended, true))?.['error']).toContain(
        'ended while this execution was running',
      );
    await eventually(
      async () => !(await system.platform.store.instances.get(instance._id)),
      () => 'the dead to be forgotten',
    );
  });

  it('runs again when it may run twice', async () => {
    const system = await started();
    const { record, pids } = await deadOwner(system, { idempotent: true });
    const run = await system.manual.runOf(record._id);
    expect(pids.filter(isAlive)).toEqual([]);
    run.end({ result: { second: true } });
    const ended = await system.untilStatus(record._id);
    expect(logOf(ended)).toEqual(['requested', 'requested', 'scheduled', 'running', 'succeeded']);
    expect(await system.executions.results.load(ended, true)).toEqual({ second: true });
  });

  it('is recovered by one of several runners of its host, so that a slower one leaves its next attempt alone', async () => {
    const system = await started({ runners: [] });
    const { record } = await deadOwner(system, { idempotent: true });
    const { platform } = system;
    const runners = await Promise.all(
      ['quick', 'slow'].map(async () => {
        const runner = anInstance({ slots: 1, pools: ['none'] });
        await platform.store.instances.register(runner);
        later(keepAlive(platform.store, runner._id, 100));
        return runner._id;
      }),
    );
    const observer = observeInstances(platform.store.instances, platform.clock, 1000);
    const recover = (instance: string, records: Partial<Executions['records']> = {}) =>
      recoverExecutions({
        ...platform,
        ...{ observer, instance, host: hostname() },
        executions: { ...system.executions, records: { ...system.executions.records, ...records } },
      });
    await eventually(
      async () => !(await observer.alive('action-runner')).some(({ _id }) => _id === record.claim?.instance),
      () => 'the lease of the dead runner to end',
    );
    const [quick, slow] = runners as [string, string];
    let next: { pids: number[] } | undefined;
    await recover(slow, {
      async claimedBy(instance) {
        const claimed = await system.executions.records.claimedBy(instance);
        if (instance !== record.claim?.instance || next) return claimed;
        next = { pids: [] };
        await recover(quick);
        // A scheduler may have released it by now.
        expect(logOf(await system.executions.get(record._id)).slice(-3)).toContain('requested');
        next = await leftProcess(record._id);
        return claimed;
      },
    });
    expect(next?.pids).toHaveLength(2);
    expect(next?.pids.filter((pid) => !isAlive(pid))).toEqual([]);
  });

  it('is left to the runner of its host that has begun to recover it, as long as that lives', async () => {
    const system = await started({ runners: [] });
    const { record, pids } = await deadOwner(system);
    const { platform } = system;
    const first = anInstance({ slots: 1, pools: ['none'] });
    await platform.store.instances.register(first);
    const stopBeating = keepAlive(platform.store, first._id, 100);
    later(stopBeating);
    expect(await platform.store.executions.takeRecovery({ _id: record._id, claim: record.claim! }, first._id)).toBe(
      true,
    );
    const observer = observeInstances(platform.store.instances, platform.clock, 1000);
    const untilDead = (id: string) =>
      eventually(
        async () => !(await observer.alive('action-runner')).some(({ _id }) => _id === id),
        () => `the lease of ${id} to end`,
      );
    const recover = () =>
      recoverExecutions({ ...platform, executions: system.executions, observer, instance: 'second', host: hostname() });
    await untilDead(record.claim!.instance);
    await recover();
    expect((await system.executions.get(record._id)).status).toBe('running');
    expect(pids.filter((pid) => !isAlive(pid))).toEqual([]);
    await stopBeating();
    await untilDead(first._id);
    await recover();
    expect((await system.executions.get(record._id)).status).toBe('abandoned');
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('is recovered immediately when the registration is gone too', async () => {
    const system = await started();
    const { record, pids, instance } = await deadOwner(system);
    await system.platform.store.instances.remove(instance._id);
    expect((await system.untilStatus(record._id)).status).toBe('abandoned');
    await Promise.all(pids.map(untilGone));
  });

  it('is recovered from another host when its own has no runner', async () => {
    const system = await started();
    const { record, pids } = await deadOwner(system, {}, 'another-host');
    expect((await system.untilStatus(record._id)).status).toBe('abandoned');
    // The next runner on that host ends the processes there. On other hosts, the same process ids belong to other
    // processes.
    expect(pids.every(isAlive)).toBe(true);
    expect((await system.executions.get(record._id)).process).toBeDefined();
  });

  it('is left to a runner on the same host, if there is one', async () => {
    const system = await started();
    const neighbour = anInstance({ host: 'another-host' });
    await system.platform.store.instances.register(neighbour);
    const die = keepAlive(system.platform.store, neighbour._id, 50);
    later(die);
    const { record, instance } = await deadOwner(system, {}, 'another-host');
    const other = await deadOwner(system);
    await system.untilStatus(other.record._id, 'abandoned');
    expect((await system.executions.get(record._id)).status).toBe('running');
    expect(await system.platform.store.instances.get(instance._id)).toBeDefined();
    await die();
    await system.untilStatus(record._id, 'abandoned');
  });

  it('is recovered after a restart of everything', async () => {
    const platform = await openTestPlatform();
    const first = await startSystem({ platform, runners: [], schedulers: 0, notifiers: 0 });
    await first.register();
    const { record, pids } = await deadOwner(first, { idempotent: true });
    const second = await startSystem({ platform: await platform.reopen() });
    later(() => second.close());
    (await second.manual.runOf(record._id)).end();
    await second.untilStatus(record._id, 'succeeded');
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('does not affect the processes of a living neighbor', async () => {
    const system = await started({ runners: [{}, {}] }, { name: 'shell', runner_type: 'local-shell-cmd' });
    await system.register();
    const record = await system.request({ action: 'tests.shell', parameters: { cmd: 'sleep 1; echo through' } });
    await deadOwner(system);
    await system.addRunner();
    const ended = await system.untilStatus(record._id);
    expect(await system.executions.results.load(ended, true)).toMatchObject({ stdout: 'through' });
  });
});

describe('a runner that was suspended for longer than its lease', () => {
  /** A system in which the first runner has its own clock. */
  async function withSleeper(action: Partial<ActionRecord> = {}) {
    const clock = testClock();
    const system = await started({ runners: [{ clock }] }, action);
    return { clock, system };
  }

  it('writes nothing afterwards, and ends its work', async () => {
    const { clock, system } = await withSleeper();
    const record = await system.request();
    const run = await system.manual.runOf(record._id);
    clock.freeze();
    await system.addRunner();
    const abandoned = await system.untilStatus(record._id);
    expect(abandoned.status).toBe('abandoned');
    clock.thaw();
    await run.cancelAsked;
    await eventually(
      () => system.platform.log.some((line) => line.includes('taken over')),
      () => 'its result to be dropped',
    );
    expect(await system.executions.get(record._id)).toEqual(abandoned);
  });

  it('does not mistake its own second run for the first', async () => {
    const { clock, system } = await withSleeper();
    const record = await system.request({ idempotent: true });
    const first = await system.manual.runOf(record._id);
    clock.freeze();
    const { platform, executions } = system;
    const other = anInstance({ slots: 1, pools: ['none'] });
    await platform.store.instances.register(other);
    later(keepAlive(platform.store, other._id, 100));
    const observer = observeInstances(platform.store.instances, platform.clock, platform.config.instances.lease_ms);
    await eventually(
      async () => (await observer.alive('action-runner')).every(({ _id }) => _id === other._id),
      () => 'the lease to run out',
    );
    // No other runner takes it, so it returns to the suspended one.
    await recoverExecutions({ ...platform, executions, observer, instance: other._id, host: hostname() });
    await system.untilStatus(record._id, 'requested', 'scheduled', 'running');
    clock.thaw();
    const second = await system.manual.runOf(record._id, 2);
    await first.cancelAsked;
    expect(second.canceled).toBe(false);
    second.end({ result: { run: 2 } });
    const ended = await system.untilStatus(record._id, 'succeeded');
    expect(await system.executions.results.load(ended, true)).toEqual({ run: 2 });
  });

  it('ends the process of an execution that another runner has recovered', async () => {
    const { clock, system } = await withSleeper({ name: 'shell', runner_type: 'local-shell-cmd' });
    const record = await system.request({ action: 'tests.shell', parameters: { cmd: 'echo $$; sleep 300' } });
    const pid = await eventually(
      async () => Number((await system.platform.store.output.read(record._id))[0]?.data) || undefined,
      () => 'a process',
    );
    clock.freeze();
    await system.addRunner();
    await system.untilStatus(record._id, 'abandoned');
    expect(isAlive(pid)).toBe(false);
    clock.thaw();
  });

  it.each([
    ['does not start what others have decided about', true],
    ['starts what is still its own', false],
  ])('%s, once it has renewed its lease', async (_, decided) => {
    const { clock, system } = await withSleeper();
    clock.freeze();
    const expired = Date.now() + system.platform.config.instances.lease_ms;
    await eventually(
      () => Date.now() > expired,
      () => 'the lease to run out',
    );
    const { _id } = await system.request();
    const claimed = await system.untilStatus(_id, 'running');
    const { claim } = claimed;
    if (decided) await system.executions.transition(claimed, 'abandoned', { from: ['running'], claim: claim! });
    clock.thaw();
    if (decided) {
      await eventually(
        () => system.platform.log.some((line) => line.includes('taken over')),
        () => 'the execution to be given up',
      );
      expect(system.manual.runsOf(_id)).toEqual([]);
    } else {
      (await system.manual.runOf(_id)).end();
      await system.untilStatus(_id, 'succeeded');
    }
  });

  it('keeps executions that no other process has taken', async () => {
    const { clock, system } = await withSleeper();
    const record = await system.request();
    const run = await system.manual.runOf(record._id);
    const beats = async () => (await system.platform.store.instances.list('action-runner'))[0]!.beat;
    clock.freeze();
    const beatsBefore = await beats();
    const resumed = Date.now() + system.platform.config.instances.lease_ms + 50;
    await eventually(
      () => Date.now() > resumed,
      () => 'the lease to run out',
    );
    clock.thaw();
    await eventually(
      async () => (await beats()) > beatsBefore + 1,
      () => 'it to beat again',
    );
    run.end();
    expect((await system.untilStatus(record._id)).status).toBe('succeeded');
    expect(run.canceled).toBe(false);
  });
});

it('abandons nothing while the store answers reads but takes no heartbeats', async () => {
  const platform = await openTestPlatform();
  const { instances } = platform.store;
  let taken = deferred();
  taken.resolve();
  let held = 0;
  const beat: typeof instances.beat = async (...beatOf) => {
    held++;
    await taken.promise;
    return instances.beat(...beatOf);
  };
  const system = await started({
    platform: { ...platform, store: { ...platform.store, instances: { ...instances, beat } } },
    runners: [{ slots: 1 }, { slots: 1 }],
  });
  const records = [await system.request(), await system.request()];
  const runs = await Promise.all(records.map(({ _id }) => system.manual.runOf(_id)));
  taken = deferred();
  held = 0;
  const until = Date.now() + 3 * platform.config.instances.lease_ms;
  await eventually(
    () => Date.now() > until && held >= 2,
    () => 'several leases to pass',
  );
  taken.resolve();
  for (const run of runs) run.end();
  for (const { _id } of records) expect((await system.untilStatus(_id)).status).toBe('succeeded');
});

it('the output of a second run does not overwrite that of the first', async () => {
  const system = await started();
  const { record } = await deadOwner(system, {
    idempotent: true,
    log: (['requested', 'scheduled', 'running'] as const).map((status) => ({ status, timestamp: 1 })),
  });
  await system.platform.store.output.append([
    {
      _id: newId(),
      execution_id: record._id,
      sequence: 1,
      output_type: 'stdout',
      data: 'first ',
      timestamp: 1,
      action_ref: 'x',
      runner_ref: 'x',
    },
  ]);
  const run = await system.manual.runOf(record._id);
  await run.abilities.output('stdout', 'second');
  run.end();
  await system.untilStatus(record._id);
  const chunks = await system.platform.store.output.read(record._id);
  expect(chunks.map(({ data }) => data).join('')).toBe('first second');
});
