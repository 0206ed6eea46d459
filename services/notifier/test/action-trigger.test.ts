import type { ConfigOverrides } from '@switchyard/config';
import { createExecutions } from '@switchyard/executions';
import type { TriggerInstanceRecord } from '@switchyard/model';
import { eventually, leakCheck, startSystem, type SystemOptions, type TestSystem } from '@switchyard/testkit/system';
import {
  ACTION_TRIGGER,
  checkRule,
  createListeners,
  createTriggers,
  executionKey,
  NOTIFY_TRIGGER,
  toldStatuses,
} from '@switchyard/triggers';

const later = leakCheck();

async function started(options: SystemOptions = {}): Promise<TestSystem> {
  const system = await startSystem(options);
  later(() => system.close());
  await system.register({ parameters: { who: { type: 'string' }, pin: { type: 'string', secret: true } } });
  await system.triggers.registerBuiltIn();
  return system;
}

const listening = (name = 'listens') =>
  checkRule({ name, pack: 'tests', enabled: true, trigger: { type: ACTION_TRIGGER }, action: { ref: 'core.noop' } });

const told = async ({ platform }: TestSystem): Promise<TriggerInstanceRecord[]> =>
  platform.store.triggerInstances.list({ filter: { trigger: ACTION_TRIGGER }, sort: { _id: 1 } });

const untilTold = (system: TestSystem, count: number) =>
  eventually(
    async () => {
      const instances = await told(system);
      return instances.length >= count && instances;
    },
    () => `${count} instances`,
  );

async function ended(system: TestSystem, parameters: Record<string, unknown> = {}) {
  const record = await system.request({ parameters });
  (await system.manual.runOf(record._id)).end({ result: { n: 1 } });
  return system.untilStatus(record._id, 'succeeded');
}

const untilSettled = (system: TestSystem, id: string) =>
  eventually(
    async () => !(await system.executions.get(id)).due,
    () => 'the notifier to be done',
  );

describe('the trigger of ended executions', () => {
  it('is dispatched while a rule listens, without secrets', async () => {
    const system = await started();
    await system.triggers.createRule(listening());
    const record = await ended(system, { who: 'bob', pin: 'hidden-pin' });
    const [instance] = await untilTold(system, 1);
    expect(instance).toMatchObject({
      status: 'pending',
      request_key: executionKey(record._id, 'status', 'succeeded'),
      payload: {
        execution_id: record._id,
        status: 'succeeded',
        start_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        action_name: 'tests.action',
        action_ref: 'tests.action',
        runner_ref: 'manual',
        parameters: { who: 'bob', pin: '********' },
        result: { n: 1 },
      },
    });
    expect(JSON.stringify(instance)).not.toContain('hidden-pin');
  });

  it('is in the trace of the execution, with its notifications', async () => {
    const system = await started();
    await system.triggers.createRule(listening());
    const parent = await system.request();
    const { _id } = await system.request({
      context: { parent: { execution_id: parent._id } },
      notify: { 'on-success': { routes: ['chat'] } },
    });
    (await system.manual.runOf(_id)).end();
    const [told] = await untilTold(system, 1);
    await untilSettled(system, _id);
    const [notified] = await system.platform.store.triggerInstances.list({ filter: { trigger: NOTIFY_TRIGGER } });
    const { traces } = system.executions;
    const page = { sort: {}, page: { limit: 2, offset: 0 } };
    const found = async (query: object) => {
      const items: unknown[] = [];
      for await (const trace of (await traces.find({ ...page, ...query })).items) items.push(trace);
      return items;
    };
    const items = await found({ triggerInstance: told!._id });
    const causedBy = { type: 'action_execution', id: _id };
    expect(items).toMatchObject([
      {
        trace_tag: `execution-${parent.liveaction_id}`,
        trigger_instances: expect.arrayContaining([
          expect.objectContaining({ object_id: told!._id, caused_by: causedBy }),
          expect.objectContaining({ object_id: notified!._id, caused_by: causedBy }),
        ]),
      },
    ]);
    expect(await found({ execution: _id })).toEqual(items);
    (await system.manual.runOf(parent._id)).end();
  });

  it('costs nothing while no rule listens', async () => {
    const system = await started();
    const record = await ended(system);
    expect(record.due).toBeUndefined();
    const rule = await system.triggers.createRule(listening());
    await system.triggers.replaceRule(rule, { ...listening(), enabled: false });
    await untilSettled(system, (await ended(system))._id);
    expect(await told(system)).toEqual([]);
  });

  it('is dispatched later for executions that ended while no notifier ran', async () => {
    const system = await started({ notifiers: 0 });
    await system.triggers.createRule(listening());
    const { _id } = await ended(system);
    await system.addNotifier();
    await untilSettled(system, _id);
    expect((await told(system)).map(({ payload }) => payload['execution_id'])).toEqual([_id]);
  });

  it('is dispatched once, with any number of notifiers and messages', async () => {
    const system = await started({ notifiers: 3 });
    await system.triggers.createRule(listening());
    const { _id } = await ended(system);
    for (let i = 0; i < 3; i++) {
      await system.platform.store.executions.change(_id, {}, { set: { due: ['notifier'], due_at: 1 } });
      await untilSettled(system, _id);
    }
    expect(await told(system)).toHaveLength(1);
  });

  it('takes effect for rules that another process has written', async () => {
    const system = await started();
    const { platform } = system;
    const { bus, store, config } = platform;
    const listeners = createListeners({ ...platform, rules: store.rules }, ACTION_TRIGGER);
    await listeners.prepare();
    expect(listeners.mayBe()).toBe(false);
    const elsewhere = createTriggers({ ...platform, publisher: bus.publisher() });
    const rule = await elsewhere.createRule(listening());
    await eventually(listeners.mayBe, () => 'the other process to receive the rule');
    const executions = createExecutions({
      ...platform,
      publisher: bus.publisher(),
      webUrl: 'http://web',
      isTold: toldStatuses(config.action_sensor, listeners),
    });
    const { _id } = await system.request();
    await system.manual.runOf(_id);
    await executions.transition(await executions.get(_id), 'failed');
    await untilTold(system, 1);
    (await system.manual.runOf(_id)).end();
    await elsewhere.removeRule(rule);
    await eventually(
      () => !listeners.mayBe(),
      () => 'the other process to receive the removal of the rule',
    );
  });
});

describe('the options of the trigger', () => {
  const withOptions = async (actionSensor: ConfigOverrides) => {
    const system = await started({ overrides: actionSensor });
    await system.triggers.createRule(listening());
    return system;
  };

  it('disable it', async () => {
    const system = await started({ overrides: { action_sensor: { enable: false } } });
    expect((await ended(system)).due).toBeUndefined();
  });

  it('select the announced statuses', async () => {
    const system = await withOptions({ action_sensor: { emit_when: ['failed'] } });
    expect((await ended(system)).due).toBeUndefined();
    const { _id } = await system.request();
    (await system.manual.runOf(_id)).end({ status: 'failed' });
    const [instance] = await untilTold(system, 1);
    expect(instance?.payload).toMatchObject({ execution_id: _id, status: 'failed' });
  });

  it('also select statuses before the end, each of which is announced once', async () => {
    const system = await withOptions({ action_sensor: { emit_when: ['running', 'succeeded'] } });
    const { _id } = await ended(system);
    await untilSettled(system, _id);
    const statuses = (await told(system)).map(({ payload }) => payload['status']);
    expect(statuses.sort()).toEqual(['running', 'succeeded']);
  });
});
