import { watchQueue, type ExecutionChangeMessage } from '@switchyard/messaging';
import type { ExecutionRecord } from '@switchyard/model';
import { gathered } from '@switchyard/testkit';
import { anExecution, leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { executionsOn } from './executions-fixture';

const later = leakCheck();
let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
});

const task = { workflow_execution: 'w', due: ['scheduler' as const], due_at: 1 };

const put = async (given: Partial<ExecutionRecord> = {}) =>
  (await platform.store.executions.insert(anExecution({ ...task, ...given }))).record;

describe('canceling several waiting executions', () => {
  it('has the same effect as canceling each alone', async () => {
    const executions = executionsOn(platform);
    const fields: Partial<ExecutionRecord>[] = [
      {},
      { status: 'delayed', waits_on: 'group', waiting_for: 'a policy' },
      { status: 'scheduled', slot: 'default', due: ['action-runner'] },
      { notify: { 'on-complete': {} } },
      { retries: true },
    ];
    const plain = (record: ExecutionRecord) => {
      const { _id, liveaction_id, web_url, log, end_timestamp, due_at, ...rest } = record;
      void [_id, liveaction_id, web_url, end_timestamp, due_at];
      return { ...rest, log: log.map(({ status }) => status), start_timestamp: 0, schedule_at: 0 };
    };
    const together = await Promise.all(fields.map(put));
    const alone = await Promise.all(fields.map(put));
    const moved = await executions.cancelWaiting(together, 'bob');
    expect(moved).toHaveLength(fields.length);
    for (const [i, { _id }] of together.entries()) {
      const expected = await executions.cancel(alone[i]!._id, 'bob');
      expect(plain(await executions.get(_id))).toEqual(plain(expected));
    }
  });

  it('is not due for the service that cancels', async () => {
    const executions = executionsOn(platform);
    const [record] = await executions.cancelWaiting(
      [await put({ notify: { 'on-complete': {} } })],
      'bob',
      'workflow-engine',
    );
    expect(record?.due).toEqual(['notifier']);
  });

  it('skips executions that have changed or are being processed', async () => {
    const executions = executionsOn(platform);
    const changed = await put();
    await platform.store.executions.change(changed._id, {}, { set: { status: 'running' }, inc: { revision: 1 } });
    const running = await put({ status: 'running' });
    const waiting = await put();
    const moved = await executions.cancelWaiting([changed, running, waiting], 'bob');
    expect(moved.map(({ _id }) => _id)).toEqual([waiting._id]);
    expect((await executions.get(changed._id)).status).toBe('running');
    expect(await executions.get(running._id)).toEqual(running);
  });

  it('announces many with one message, but announces those that free a slot or need handling one by one', async () => {
    const executions = executionsOn(platform);
    const queue = watchQueue('execution', 'tests', 'update.#');
    const told = gathered<ExecutionChangeMessage>();
    const consumer = await platform.bus.consume(queue, { prefetch: 10, name: 'tests' }, async (message) =>
      told.add(message),
    );
    later(() => consumer.stop());
    const long = {
      action_ref: `tests.${'long'.repeat(100)}`,
      context: { trace_context: { trace_tag: 'ü'.repeat(300) } },
    };
    const records = await Promise.all(Array.from({ length: 120 }, () => put({ due: ['scheduler'], ...long })));
    const single = [await put({ status: 'scheduled', slot: 'default' }), await put({ notify: { 'on-complete': {} } })];
    await executions.cancelWaiting([...records, ...single], 'bob', 'workflow-engine');
    const messages = await told.until((all) => all.length >= 5);
    const bulk = messages.filter(({ others }) => others !== undefined);
    expect(bulk).toHaveLength(3);
    expect(bulk.every(({ status, revision, due }) => status === 'canceled' && revision === 2 && !due?.length)).toBe(
      true,
    );
    expect(
      new Set(bulk.flatMap(({ id, liveaction_id, others = [] }) => [[id, liveaction_id], ...others].map(String))),
    ).toEqual(new Set(records.map(({ _id, liveaction_id }) => `${_id},${liveaction_id}`)));
    const others = messages.filter(({ others }) => others === undefined);
    expect(new Set(others.map(({ id }) => id))).toEqual(new Set(single.map(({ _id }) => _id)));
  });

  it('does nothing for an empty list', async () => {
    expect(await executionsOn(platform).cancelWaiting([], 'bob')).toEqual([]);
  });
});

describe('canceling several workflows that have begun', () => {
  const workflow = { action_is_workflow: true, pool: 'workflows' };
  const putWorkflow = async (given: Partial<ExecutionRecord>) => {
    const { due: _, due_at: __, ...record } = anExecution({ ...task, ...workflow, ...given });
    return (await platform.store.executions.insert(record)).record;
  };

  it('requests the cancellation of each from an engine, as canceling it alone does', async () => {
    const executions = executionsOn(platform);
    const statuses = ['running', 'pausing', 'paused', 'resuming', 'pending'] as const;
    const together = await Promise.all(statuses.map((status) => putWorkflow({ status })));
    const alone = await Promise.all(statuses.map((status) => putWorkflow({ status })));
    expect(await executions.cancelBegun(together, 'bob')).toHaveLength(statuses.length);
    const shown = ({ status, due, context, result, revision }: ExecutionRecord) => ({
      ...{ status, due, context, result, revision },
    });
    for (const [i, { _id }] of together.entries()) {
      const expected = await executions.cancel(alone[i]!._id, 'bob');
      expect(shown(await executions.get(_id))).toEqual(shown(expected));
      expect(expected).toMatchObject({ status: 'canceling', due: ['workflow-engine'] });
    }
  });

  it('skips actions, and workflows that have changed, ended or not begun', async () => {
    const executions = executionsOn(platform);
    const changed = await putWorkflow({ status: 'running' });
    await platform.store.executions.change(changed._id, {}, { set: { status: 'paused' }, inc: { revision: 1 } });
    const others = [
      await putWorkflow({ status: 'succeeded' }),
      await putWorkflow({ status: 'requested' }),
      await put({ status: 'running', action_is_workflow: false }),
    ];
    expect(await executions.cancelBegun([changed, ...others], 'bob')).toEqual([]);
    for (const record of others) expect(await executions.get(record._id)).toEqual(record);
    expect((await executions.get(changed._id)).status).toBe('paused');
  });

  it('sends each engine one message, and readers one for many', async () => {
    const executions = executionsOn(platform);
    const told = gathered<ExecutionChangeMessage>();
    const asked = gathered<{ id: string }>();
    const consumers = [
      await platform.bus.consume(
        watchQueue('execution', 'tests', 'update.#'),
        { prefetch: 10, name: 'tests' },
        async (message) => told.add(message),
      ),
      await platform.bus.consume('workflow.cancel', { prefetch: 10, name: 'tests' }, async (message) =>
        asked.add(message),
      ),
    ];
    later(() => Promise.all(consumers.map((consumer) => consumer.stop())));
    const records = await Promise.all(Array.from({ length: 60 }, () => putWorkflow({ status: 'running' })));
    await executions.cancelBegun(records, 'bob');
    await asked.until((all) => all.length >= 60);
    expect(asked.items.map(({ id }) => id)).toEqual(records.map(({ _id }) => _id));
    const messages = await told.until((all) => all.flatMap(({ others = [] }) => [0, ...others]).length >= 60);
    expect(messages).toHaveLength(2);
  });
});
