import type { ActionRecord, ExecutionRecord, Status } from '@switchyard/model';
import { executionStatus, runnerControl } from '@switchyard/messaging';
import {
  eventually,
  isAlive,
  leakCheck,
  startSystem,
  untilGone,
  type SystemOptions,
  type TestSystem,
} from '@switchyard/testkit/system';

const later = leakCheck();

async function started(options: SystemOptions = {}, action: Partial<ActionRecord> = {}): Promise<TestSystem> {
  const system = await startSystem(options);
  later(() => system.close());
  await system.register(action);
  return system;
}

const SHELL: Partial<ActionRecord> = { name: 'shell', runner_type: 'local-shell-cmd' };

/** Runs a command that prints the ids of processes, and waits for them. */
async function spawning(
  system: TestSystem,
  cmd: string,
  count: number,
): Promise<{ record: ExecutionRecord; pids: number[] }> {
  const record = await system.request({ action: 'tests.shell', parameters: { cmd } });
  const pids = await eventually(
    async () => {
      const text = (await system.platform.store.output.read(record._id)).map(({ data }) => data).join('');
      const lines = text.split('\n').slice(0, -1);
      return lines.length >= count && lines.map(Number);
    },
    () => 'the ids of the processes',
  );
  await eventually(
    async () => (await system.executions.get(record._id)).process,
    () => 'the mark of the process',
  );
  return { record, pids };
}

const logOf = ({ log }: ExecutionRecord) => log.map(({ status }) => status);

describe('canceling', () => {
  it.each<[Status, object]>([
    ['requested', {}],
    ['delayed', { delay: 60_000 }],
    ['scheduled', {}],
  ])('ends an execution that is %s without a runner', async (status, request) => {
    const system = await started({ runners: [], schedulers: status === 'delayed' ? 1 : 0 });
    const record = await system.request(request);
    if (status === 'scheduled') await system.executions.transition(record, 'scheduled', { due: ['action-runner'] });
    await system.untilStatus(record._id, status);
    const after = await system.executions.cancel(record._id, 'bob');
    expect(logOf(after)).toEqual([...new Set(['requested', status, 'canceled'])]);
    const runner = await system.addRunner();
    const other = await system.request();
    await system.executions.transition(other, 'scheduled', { due: ['action-runner'] });
    (await system.manual.runOf(other._id)).end();
    await system.untilStatus(other._id);
    expect(system.manual.runsOf(record._id)).toEqual([]);
    // The slot is released a moment after the end is stored.
    const slots = async () => (await runner.health()).checks?.['slots'];
    await eventually(
      async () => (await slots()) === '0 of 10 in use',
      () => 'no slot in use',
    );
  });

  it('ends the process of a running execution and everything that it started', async () => {
    const system = await started({}, SHELL);
    const cmd =
      "echo $$; sleep 300 & echo $!; setsid sh -c 'echo $$; exec sleep 300' & sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' & wait";
    const { record, pids } = await spawning(system, cmd, 4);
    expect(pids.every(isAlive)).toBe(true);
    await system.executions.cancel(record._id, 'bob');
    const ended = await system.untilStatus(record._id);
    expect(logOf(ended)).toEqual(['requested', 'scheduled', 'running', 'canceling', 'canceled']);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(ended.process).toBeUndefined();
    expect(await system.executions.results.load(ended, true)).toEqual({
      message: 'Action canceled by user.',
      user: 'bob',
    });
  });

  it('reaches the owner, whichever runner gets the request', async () => {
    const system = await started({ runners: [{}, {}, {}] });
    for (let i = 0; i < 6; i++) {
      const record = await system.request();
      const run = await system.manual.runOf(record._id);
      await system.executions.cancel(record._id, 'bob');
      await run.cancelAsked;
      expect((await system.untilStatus(record._id)).status).toBe('canceled');
    }
  });

  it('survives the loss of its message', async () => {
    const system = await started();
    const record = await system.request();
    const run = await system.manual.runOf(record._id);
    const running = await system.untilStatus(record._id, 'running');
    // Simulates an API that died between its write and its message.
    await system.platform.store.executions.change(
      running._id,
      { status: ['running'] },
      { set: { status: 'canceling', due: ['action-runner'], due_at: 1 }, inc: { revision: 1 } },
    );
    await run.cancelAsked;
    expect((await system.untilStatus(record._id)).status).toBe('canceled');
  });

  it('has a single outcome when the run ends at the same time', async () => {
    const system = await started();
    for (let i = 0; i < 10; i++) {
      const record = await system.request();
      const run = await system.manual.runOf(record._id);
      await system.untilStatus(record._id, 'running');
      const cancel = system.executions.cancel(record._id, 'bob');
      run.end({ result: { done: true } });
      await cancel;
      const ended = await system.untilStatus(record._id);
      expect(['succeeded', 'canceled']).toContain(ended.status);
      expect(logOf(ended).filter((status) => status === ended.status)).toHaveLength(1);
      const result = await system.executions.results.load(ended, true);
      expect(result).toEqual(
        ended.status === 'succeeded' ? { done: true } : { message: 'Action canceled by user.', user: 'bob' },
      );
    }
    expect(await system.platform.store.executions.countActive('default')).toBe(0);
  });

  it('of an earlier claim does not affect the current one', async () => {
    const system = await started();
    const record = await system.request();
    const run = await system.manual.runOf(record._id);
    const { claim } = await system.untilStatus(record._id, 'running');
    const { publisher } = system.platform.bus;
    const message = { verb: 'cancel' as const, id: record._id, instance: claim!.instance, trace: null };
    await publisher().publish(runnerControl({ ...message, claim: claim!.number - 1 }));
    await publisher().publish(
      executionStatus({ id: record._id, ref: 'tests.action', status: 'canceling', revision: 9, trace: null }),
    );
    run.end();
    expect((await system.untilStatus(record._id)).status).toBe('succeeded');
    expect(run.canceled).toBe(false);
  });
});

describe('completing a running execution by hand', () => {
  it('stops the work and keeps the given result', async () => {
    const system = await started({}, SHELL);
    const { record, pids } = await spawning(system, 'echo $$; sleep 300', 1);
    await system.executions.update(record._id, { status: 'succeeded', result: { by: 'hand' } }, 'ada');
    await untilGone(pids[0]!);
    await eventually(
      async () => !(await system.executions.get(record._id)).process,
      () => 'the mark to be gone',
    );
    const ended = await system.executions.get(record._id);
    expect(logOf(ended)).toEqual(['requested', 'scheduled', 'running', 'succeeded']);
    expect(await system.executions.results.load(ended, true)).toEqual({ by: 'hand' });
  });
});
