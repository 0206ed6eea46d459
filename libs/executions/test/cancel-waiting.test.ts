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

describe('cancelling several that wait', () => {
  it('does for each what cancelling it alone does', async () => {
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

  it('gives whoever is at work no mark', async () => {
    const executions = executionsOn(platform);
    const [record] = await executions.cancelWaiting(
      [await put({ notify: { 'on-complete': {} } })],
      'bob',
      'workflow-engine',
    );
    expect(record?.due).toEqual(['notifier']);
  });

  it('leaves those alone that have changed or that are worked on', async () => {
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

  it('tells of each', async () => {
    const executions = executionsOn(platform);
    const queue = watchQueue('execution', 'tests', 'update.canceled');
    const told = gathered<ExecutionChangeMessage>();
    const consumer = await platform.bus.consume<ExecutionChangeMessage>(
      queue,
      { prefetch: 10, name: 'tests' },
      async (message) => told.add(message),
    );
    later(() => consumer.stop());
    const records = await Promise.all(Array.from({ length: 30 }, () => put({ due: ['scheduler'] })));
    await executions.cancelWaiting(records, 'bob', 'workflow-engine');
    const messages = await told.until(30);
    expect(new Set(messages.map(({ id, status, revision }) => `${id} ${status} ${revision}`))).toEqual(
      new Set(records.map(({ _id }) => `${_id} canceled 2`)),
    );
  });

  it('of none does nothing', async () => {
    expect(await executionsOn(platform).cancelWaiting([], 'bob')).toEqual([]);
  });
});
