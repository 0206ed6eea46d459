import { newId } from '@switchyard/base';
import { decideRetry, type Executions } from '@switchyard/executions';
import {
  checkPolicy,
  type ActionRecord,
  type ExecutionRecord,
  type PolicyRecord,
  type Status,
} from '@switchyard/model';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { by, executionsOn, register } from '../executions-fixture';

const policyOf = (resource: string, parameters: object = {}, more: Partial<PolicyRecord> = {}): PolicyRecord => ({
  _id: newId(),
  ...checkPolicy({
    name: `again-${newId()}`,
    pack: 'tests',
    resource_ref: resource,
    policy_type: 'action.retry',
    parameters: { retry_on: 'failure', ...parameters },
    ...more,
  }),
});

describe('the decision to retry', () => {
  const tried = (count: number) => ({ policies: { retry: { retry_count: count } } });

  it.each<[string, Status, object, Partial<PolicyRecord>, object, object | undefined]>([
    ['a failure', 'failed', {}, {}, {}, { count: 1, delayMs: 0 }],
    ['a second failure', 'failed', tried(1), {}, {}, { count: 2, delayMs: 0 }],
    ['one failure too many', 'failed', tried(2), {}, {}, undefined],
    ['a success', 'succeeded', {}, {}, {}, undefined],
    ['a timeout, of failures only', 'timeout', {}, {}, {}, undefined],
    ['a timeout', 'timeout', {}, {}, { retry_on: 'timeout' }, { count: 1, delayMs: 0 }],
    ['a requested end', 'canceled', {}, {}, {}, undefined],
    ['an unknown end', 'abandoned', {}, {}, {}, undefined],
    ['a failure, after a delay', 'failed', {}, {}, { delay: 1.5 }, { count: 1, delayMs: 1500 }],
    ['a failure, with a disabled policy', 'failed', {}, { enabled: false }, {}, undefined],
    ['a failure with odd context', 'failed', { policies: { retry: 'x' } }, {}, {}, { count: 1, delayMs: 0 }],
  ])('after %s', (_, status, context, more, parameters, expected) => {
    expect(decideRetry(policyOf('tests.action', parameters, more), { status, context: { ...context } })).toEqual(
      expected,
    );
  });

  it('ignores policies of other types', () => {
    const limit = { policy_type: 'action.concurrency', parameters: { threshold: 1 } };
    const policy = { ...policyOf('tests.action'), ...limit };
    expect(decideRetry(policy, { status: 'failed', context: {} })).toBeUndefined();
  });
});

describe('a retry', () => {
  let platform: TestPlatform;
  let executions: Executions;
  beforeEach(async () => {
    platform = await openTestPlatform();
    later(() => platform.close());
    executions = executionsOn(platform);
  });
  const later = leakCheck();

  async function failed(
    action: Partial<ActionRecord>,
    parameters: object,
    request: object = {},
    status: Status = 'failed',
  ) {
    const ref = await register(platform, action);
    const policy = await platform.store.policies.insert(policyOf(ref, parameters));
    const record = await by(executions, ref, request);
    const ended = await executions.transition(record, status);
    return { policy, ended: ended! };
  }

  const retriesOf = async ({ action_ref: action, _id }: ExecutionRecord) =>
    (await platform.store.executions.list({ filter: { action_ref: action } })).filter((record) => record._id !== _id);

  it('has the parameters, context and trace of the first execution', async () => {
    const parameters = { n: { type: 'integer' }, token: { type: 'string', secret: true } };
    const request = { parameters: { n: 4, token: 'hush' }, context: { source: 'test' }, priority: 3, pool: 'gpu' };
    const { policy, ended } = await failed({ parameters, notify: { 'on-failure': {} } }, {}, request);
    expect(ended.due).toEqual(['notifier']);
    await executions.policies.afterEnd(ended);
    const [retry, ...more] = await retriesOf(ended);
    expect(more).toEqual([]);
    expect(retry).toMatchObject({
      status: 'requested',
      priority: 3,
      pool: 'gpu',
      notify: { 'on-failure': {} },
      parameters: ended.parameters,
      context: {
        source: 'test',
        user: 'ada',
        pack: 'tests',
        policies: { retry: { applied_policy: policy.ref, retry_count: 1, retried_liveaction_id: ended.liveaction_id } },
      },
    });
    expect(executions.secrets.openParameters(retry!)).toEqual({ n: 4, token: 'hush' });
    expect((await executions.traces.ofExecution(retry!)).id_).toBe((await executions.traces.ofExecution(ended)).id_);
  });

  it('starts a new run of a failed workflow', async () => {
    const { ended } = await failed({}, {});
    const record = await platform.store.executions.change(
      ended._id,
      {},
      { set: { 'context.workflow_execution': 'w' } },
    );
    await executions.policies.afterEnd(record!);
    expect((await retriesOf(ended))[0]?.context).not.toHaveProperty('workflow_execution');
  });

  it('does not render values again', async () => {
    const { ended } = await failed({ parameters: { text: { type: 'string' } } }, {}, {});
    const parameters = { text: '{{ 1 + 1 }}' };
    const record = await platform.store.executions.change(ended._id, {}, { set: { parameters } });
    await executions.policies.afterEnd(record!);
    expect((await retriesOf(ended))[0]?.parameters).toEqual(parameters);
  });

  it('is created once, however often it is requested', async () => {
    const { ended } = await failed({}, {});
    await Promise.all(Array.from({ length: 5 }, () => executions.policies.afterEnd(ended)));
    expect(await retriesOf(ended)).toHaveLength(1);
  });

  it('waits for the delay of the policy', async () => {
    const { ended } = await failed({}, { delay: 60 });
    await executions.policies.afterEnd(ended);
    const [retry] = await retriesOf(ended);
    expect(retry).toMatchObject({ delay: 60_000, schedule_at: retry!.start_timestamp + 60_000_000 });
  });

  it('is repeated up to the maximum', async () => {
    const { ended } = await failed({}, { max_retry_count: 2 });
    let last = ended;
    for (let i = 0; i < 4; i++) {
      await executions.policies.afterEnd(last);
      const open = (await retriesOf(ended)).find(({ status }) => status === 'requested');
      if (open) last = (await executions.transition(open, 'failed'))!;
    }
    expect(await retriesOf(ended)).toHaveLength(2);
  });

  it.each<[string, (record: ExecutionRecord, policy: PolicyRecord) => Promise<ExecutionRecord>]>([
    ['after a success', async (record) => ({ ...record, status: 'succeeded' })],
    ['of a child', async (record) => ({ ...record, parent: newId() })],
    [
      'when the policy was deleted',
      async (record, { _id }) => {
        await platform.store.policies.remove(_id);
        return record;
      },
    ],
    [
      'when the action was deleted',
      async (record) => {
        const action = await platform.store.actions.byKey(record.action_ref);
        await platform.store.actions.remove(action!._id);
        return record;
      },
    ],
  ])('is not created %s', async (_, change) => {
    const { ended, policy } = await failed({}, {});
    await executions.policies.afterEnd(await change(ended, policy));
    expect(await retriesOf(ended)).toEqual([]);
  });

  it('no service is due at the end of an execution without a retry policy', async () => {
    const ref = await register(platform);
    const record = await by(executions, ref);
    expect(record.retries).toBeUndefined();
    expect((await executions.transition(record, 'failed'))!.due).toBeUndefined();
  });
});
