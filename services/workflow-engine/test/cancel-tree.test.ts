import { newId } from '@switchyard/base';
import {
  DUE_FOR_ENGINE,
  watchQueue,
  type ExecutionChangeMessage,
  type WorkflowStatusMessage,
} from '@switchyard/messaging';
import { checkPolicy } from '@switchyard/model';
import { gathered } from '@switchyard/testkit';
import { eventually, leakCheck } from '@switchyard/testkit/system';
import {
  allExecutions,
  expectCanceled,
  hasBegun,
  SELDOM,
  TWICE,
  untilAllEnded,
  untilThere,
} from './support/canceled-tree';
import { workflowSystem, type WorkflowSystem } from './support/workflow-system';

const later = leakCheck();

async function started(options = {}): Promise<WorkflowSystem> {
  const system = await workflowSystem({ runners: [{ slots: 2 }], ...options });
  later(() => system.close());
  return system;
}

const items = (count: number, action = 'tests.manual', concurrency?: number): string =>
  `version: 1.0\ntasks:\n  many:\n    with:\n      items: <% range(${count}) %>\n` +
  (concurrency === undefined ? '' : `      concurrency: ${concurrency}\n`) +
  `    action: ${action}\n`;

const expectAllCanceled = async (system: WorkflowSystem): Promise<void> => expectCanceled(await allExecutions(system));

describe('canceling a workflow', () => {
  it('ends hundreds of waiting executions, running ones and inner workflows', async () => {
    const system = await started();
    await system.workflow('inner', items(30));
    await system.workflow('outer', items(300) + '  within:\n    with: <% range(5) %>\n    action: tests.inner\n');
    const { _id: id } = await system.request({ action: 'tests.outer' });
    await untilThere(system, 1 + 300 + 5 + 150);
    await system.manual.runs.until(2);
    await system.executions.cancel(id, 'bob');
    expect((await system.untilStatus(id)).status).toBe('canceled');
    await untilAllEnded(system);
    await expectAllCanceled(system);
    const waited = (await allExecutions(system)).filter(({ log }) => log.every(({ status }) => status !== 'canceling'));
    expect(waited.length).toBeGreaterThan(400);
    for (const record of waited.slice(0, 20))
      expect(await system.executions.results.load(record, true)).toEqual({
        message: 'Action canceled by user.',
        user: 'bob',
      });
    expect(await allExecutions(system)).toHaveLength(456);
  });

  it('does not make requests that it was about to make', async () => {
    const system = await started();
    await system.workflow('outer', items(5000));
    const { _id: id } = await system.request({ action: 'tests.outer' });
    await untilThere(system, 100);
    await system.executions.cancel(id, 'bob');
    expect((await system.untilStatus(id)).status).toBe('canceled');
    await untilAllEnded(system);
    await expectAllCanceled(system);
    expect((await allExecutions(system)).length).toBeLessThan(5001);
  });

  it('stops the growth of one that calls itself twice', async () => {
    const system = await started();
    await system.workflow('twice', TWICE);
    const { _id: id } = await system.request({ action: 'tests.twice' });
    await untilThere(system, 150);
    await system.executions.cancel(id, 'bob');
    await untilAllEnded(system);
    const count = (await allExecutions(system)).length;
    await expectAllCanceled(system);
    expect(await system.run({ action: 'tests.noop' })).toMatchObject({ status: 'succeeded' });
    expect(await allExecutions(system)).toHaveLength(count + 1);
  });

  it('takes few store operations for each workflow of a large tree, and begins none that waits', async () => {
    const system = await started({ overrides: { ...SELDOM, DEFAULT: { profile: true } } });
    await system.workflow('twice', TWICE);
    const { _id: id } = await system.request({ action: 'tests.twice' });
    await untilThere(system, 400);
    const before = system.platform.log.length;
    await system.executions.cancel(id, 'bob');
    await untilAllEnded(system);
    const operations = system.platform.log.slice(before).filter((line) => line.includes('Operation on the store.'));
    await expectAllCanceled(system);
    const records = await allExecutions(system);
    const begun = records.filter(hasBegun);
    // About 3.5, up to 7 if many notice the cancellation themselves while the tree still grows. More if each is asked alone.
    expect(operations.length).toBeLessThan(13 * begun.length);
  });

  it('cancels the workflows of a tree without messages, and sends none about the end of those below', async () => {
    const system = await started({ overrides: SELDOM });
    const asked = gathered<WorkflowStatusMessage>();
    const ends = gathered<ExecutionChangeMessage>();
    const watch = { prefetch: 100, name: 'tests' };
    const consumers = [
      await system.platform.bus.consume(watchQueue('workflow.status', 'asked', 'canceling'), watch, async (message) =>
        asked.add(message),
      ),
      await system.platform.bus.consume(
        watchQueue('execution', 'ends', 'update', DUE_FOR_ENGINE),
        watch,
        async (message) => ends.add(message),
      ),
    ];
    for (const consumer of consumers) later(() => consumer.stop());
    await system.workflow('inner', items(2));
    await system.workflow('middle', items(6, 'tests.inner'));
    await system.workflow('outer', items(6, 'tests.middle'));
    const { _id: id } = await system.request({ action: 'tests.outer' });
    const BEGUN = 1 + 6 + 36;
    await untilThere(system, BEGUN + 72);
    await system.manual.runs.until(2);
    await system.executions.cancel(id, 'bob');
    await untilAllEnded(system);
    await expectAllCanceled(system);
    expect(asked.items.map((message) => message.id)).toEqual([id]);
    // Two actions were running: their ends, and those of the workflows above them.
    expect(ends.items.filter(({ status }) => status === 'canceled').length).toBeLessThan(BEGUN / 4);
  });

  it('ends a workflow that has begun, and failed before its first step', async () => {
    const system = await started({ overrides: { sweep: { interval_ms: 100, older_than_ms: 200 } } });
    const { workflows } = system.platform.store;
    const { append } = workflows;
    let fails = true;
    let tries = 0;
    workflows.append = (step) => {
      tries += 1;
      return fails ? Promise.reject(new Error('the store is unavailable')) : append(step);
    };
    await system.workflow('listing', items(3));
    const { _id: id } = await system.request({ action: 'tests.listing' });
    await system.untilStatus(id, 'running');
    await eventually(
      () => tries > 0,
      () => 'the first step',
    );
    await system.executions.cancel(id, 'bob');
    fails = false;
    await untilAllEnded(system);
    await expectAllCanceled(system);
    expect(await allExecutions(system)).toHaveLength(1);
  });

  it('continues after a failure at any point of a tree of workflows', async () => {
    const system = await started({ overrides: { sweep: { interval_ms: 100, older_than_ms: 200 } } });
    const { executions } = system.platform.store;
    const { changeEach, settleEachAt } = executions;
    let calls = 0;
    executions.changeEach = async (changes) => {
      calls += 1;
      if (calls % 4 === 1 && calls < 20) throw new Error('the store is unavailable');
      const count = await changeEach(changes);
      // Those are canceled or canceling, and no message was sent.
      if (calls % 4 === 3 && calls < 20) throw new Error('the answer was lost');
      return count;
    };
    let settled = 0;
    executions.settleEachAt = async (records, consumer) => {
      settled += 1;
      if (settled === 2) throw new Error('the store is unavailable');
      return settleEachAt(records, consumer);
    };
    await system.workflow('twice', TWICE);
    const { _id: id } = await system.request({ action: 'tests.twice' });
    await untilThere(system, 400);
    await system.executions.cancel(id, 'bob');
    await untilAllEnded(system);
    await expectAllCanceled(system);
    expect([calls > 4, settled > 2]).toEqual([true, true]);
  });

  it('is continued by another engine when one dies among the workflows of a tree', async () => {
    const system = await started({
      engines: 2,
      overrides: { instances: { heartbeat_ms: 100, lease_ms: 1000 }, sweep: { interval_ms: 100, older_than_ms: 200 } },
    });
    await system.workflow('twice', TWICE);
    const { _id: id } = await system.request({ action: 'tests.twice' });
    await untilThere(system, 300);
    await system.executions.cancel(id, 'bob');
    await eventually(
      async () => (await system.platform.store.executions.count({ status: 'canceled' })) > 0,
      () => 'the first to be canceled',
    );
    await system.engines[0]!.kill();
    await untilAllEnded(system);
    await expectAllCanceled(system);
  });

  it('cancels the whole tree, whichever part is canceled', async () => {
    const system = await started();
    await system.workflow('inner', items(20));
    await system.workflow('middle', 'version: 1.0\ntasks:\n  a:\n    action: tests.inner\n');
    await system.workflow(
      'outer',
      'version: 1.0\ntasks:\n  a:\n    action: tests.middle\n  b:\n    action: tests.inner\n',
    );
    const { _id: id } = await system.request({ action: 'tests.outer' });
    await untilThere(system, 4 + 40);
    const inner = (await allExecutions(system)).find(
      ({ action_ref: ref, nesting }) => ref === 'tests.inner' && nesting === 2,
    )!;
    await system.executions.cancel(inner._id, 'bob');
    expect((await system.untilStatus(id)).status).toBe('canceled');
    await untilAllEnded(system);
    await expectAllCanceled(system);
  });

  it('takes few store operations and messages, and starts nothing more', async () => {
    const system = await started({ overrides: { ...SELDOM, DEFAULT: { profile: true } } });
    const told = gathered<ExecutionChangeMessage>();
    const consumer = await system.platform.bus.consume(
      watchQueue('execution', 'tests', 'update.#'),
      { prefetch: 100, name: 'tests' },
      async (message) => told.add(message),
    );
    later(() => consumer.stop());
    await system.workflow('outer', items(1000));
    const { _id: id } = await system.request({ action: 'tests.outer' });
    await untilThere(system, 1001);
    await system.manual.runs.until(2);
    const before = system.platform.log.length;
    await system.executions.cancel(id, 'bob');
    // Polling costs operations as well.
    await told.until((messages) => messages.some((message) => message.id === id && message.status === 'canceled'));
    const operations = system.platform.log.slice(before).filter((line) => line.includes('Operation on the store.'));
    await untilAllEnded(system);
    await expectAllCanceled(system);
    // About 100 when most is done in one batch; on a busy machine the batches are smaller.
    expect(operations.length).toBeLessThan(1000 / 2);
    const ends = told.items.filter(({ status }) => status === 'canceled');
    expect(ends.length).toBeLessThan(1000 / 4);
    const ids = ends.flatMap(({ id, others = [] }) => [id, ...others.map(([other]) => other)]);
    expect(new Set(ids).size).toBe(1001);
    expect(ids).toHaveLength(1001);
    expect(system.manual.runs.items).toHaveLength(2);
  });

  it('records who canceled a workflow that first receives the ends of its canceled actions', async () => {
    const system = await started();
    await system.workflow('inner', items(1));
    await system.workflow('outer', 'version: 1.0\ntasks:\n  a:\n    action: tests.inner\n');
    const { _id: id } = await system.request({ action: 'tests.outer' });
    await system.manual.runs.until(1);
    const outer = (await system.platform.store.executions.get(id))!;
    // Nobody has to act on it, so nobody asks the inner workflow.
    await system.executions.transition(outer, 'canceling', { set: { 'context.cancelled_by': 'bob' } });
    const task = (await allExecutions(system)).find(({ action_ref: ref }) => ref === 'tests.manual')!;
    await system.executions.cancel(task._id, 'bob');
    await untilAllEnded(system);
    await expectAllCanceled(system);
  });

  it('releases the limits of policies', async () => {
    const system = await started();
    await system.platform.store.policies.insert({
      _id: newId(),
      ...checkPolicy({
        ...{ name: 'limit', pack: 'tests', resource_ref: 'tests.manual' },
        ...{ policy_type: 'action.concurrency', parameters: { threshold: 2 } },
      }),
    });
    await system.workflow('outer', items(120));
    const { _id: id } = await system.request({ action: 'tests.outer' });
    await eventually(
      async () => (await system.platform.store.executions.count({ waits_on: { $exists: true } })) >= 50,
      () => 'fifty that wait for the policy',
    );
    await system.executions.cancel(id, 'bob');
    await untilAllEnded(system);
    await expectAllCanceled(system);
    const next = await system.request({ action: 'tests.manual' });
    (await system.manual.runOf(next._id)).end();
    expect((await system.untilStatus(next._id)).status).toBe('succeeded');
  });

  it('continues after a failure at any point', async () => {
    const system = await started();
    const { executions } = system.platform.store;
    const { changeEach } = executions;
    let calls = 0;
    executions.changeEach = async (changes) => {
      calls += 1;
      if (calls === 2) throw new Error('the store is unavailable');
      const count = await changeEach(changes);
      // Those are canceled, and no message was sent.
      if (calls === 4) throw new Error('the answer was lost');
      return count;
    };
    await system.workflow('outer', items(250));
    const { _id: id } = await system.request({ action: 'tests.outer' });
    await untilThere(system, 251);
    await system.executions.cancel(id, 'bob');
    expect((await system.untilStatus(id)).status).toBe('canceled');
    await untilAllEnded(system);
    await expectAllCanceled(system);
    expect(calls).toBeGreaterThan(4);
  });

  it('is continued by another engine', async () => {
    const system = await started({
      overrides: { instances: { heartbeat_ms: 100, lease_ms: 1000 }, sweep: { interval_ms: 100, older_than_ms: 200 } },
    });
    await system.workflow('outer', items(200));
    const { _id: id } = await system.request({ action: 'tests.outer' });
    await untilThere(system, 201);
    await system.engines[0]!.kill();
    await system.executions.cancel(id, 'bob');
    // As if the engine had died after its first write.
    const waiting = await system.platform.store.executions.list({
      filter: { workflow_execution: { $exists: true }, status: 'requested' },
      limit: 50,
    });
    expect(await system.executions.cancelWaiting(waiting, 'bob', 'workflow-engine')).toHaveLength(50);
    await system.addEngine();
    expect((await system.untilStatus(id)).status).toBe('canceled');
    await untilAllEnded(system);
    await expectAllCanceled(system);
  });

  it.each(['finally: [undo]', 'rollback'])(
    'runs its clean-up tasks if it is canceled while it is paused: %s',
    async (how) => {
      const system = await started();
      const closing = how === 'rollback' ? '' : `${how}\n`;
      const undone = how === 'rollback' ? '    rollback: undo\n' : '';
      await system.workflow(
        'outer',
        `version: 1.0\n${closing}tasks:\n  made:\n    action: tests.manual\n${undone}    next:\n      - do: more\n` +
          '  more:\n    action: tests.noop\n  undo:\n    action: tests.manual\n',
      );
      const { _id: id } = await system.request({ action: 'tests.outer' });
      const [made] = await system.manual.runs.until(1);
      await system.untilStatus(id, 'running');
      await system.executions.update(id, { status: 'pausing' }, 'bob');
      await system.untilHeard(id);
      made!.end();
      await system.untilStatus(id, 'paused');
      await system.executions.cancel(id, 'bob');
      const [, undo] = await system.manual.runs.until(2);
      undo!.end();
      expect((await system.untilStatus(id)).status).toBe('canceled');
      expect((await system.children(id)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    },
  );

  it('does not cancel its rollback, including workflows', async () => {
    const system = await started();
    await system.workflow('undo', 'version: 1.0\ntasks:\n  a:\n    action: tests.manual\n');
    await system.workflow(
      'outer',
      'version: 1.0\ntasks:\n  made:\n    action: tests.noop\n    rollback: undo\n    next:\n      - do: many\n' +
        '  many:\n    with: <% range(20) %>\n    action: tests.manual\n  undo:\n    action: tests.undo\n',
    );
    const { _id: id } = await system.request({ action: 'tests.outer' });
    await untilThere(system, 22);
    await system.manual.runs.until(2);
    await system.executions.cancel(id, 'bob');
    const undo = await eventually(
      async () => (await allExecutions(system)).find(({ action_ref: ref }) => ref === 'tests.undo'),
      () => 'the undoing workflow',
    );
    const [task] = await eventually(
      async () => {
        const children = await system.children(undo._id);
        return children.length > 0 && children;
      },
      () => 'its task',
    );
    (await system.manual.runOf(task!._id)).end();
    expect((await system.untilStatus(undo._id)).status).toBe('succeeded');
    expect((await system.untilStatus(id)).status).toBe('canceled');
  });
});
