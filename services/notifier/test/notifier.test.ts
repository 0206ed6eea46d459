import { deferred } from '@switchyard/base';
import type { ExecutionRequest, LookupFor } from '@switchyard/executions';
import { executionChange } from '@switchyard/messaging';
import type { NotifySpec, TerminalStatus, TriggerInstanceRecord } from '@switchyard/model';
import {
  anExecution,
  eventually,
  leakCheck,
  startSystem,
  type SystemOptions,
  type TestSystem,
} from '@switchyard/testkit/system';
import { createNotifier } from '../src';
import { defaultMessage, sectionsFor } from '../src/notification';

const later = leakCheck();

async function started(options: SystemOptions = {}): Promise<TestSystem> {
  const system = await startSystem(options);
  later(() => system.close());
  await system.register({ parameters: { who: { type: 'string' }, pin: { type: 'string', secret: true } } });
  return system;
}

const instancesOf = async ({ platform }: TestSystem, id: string): Promise<TriggerInstanceRecord[]> =>
  (await platform.store.triggerInstances.list({ sort: { _id: 1 } })).filter(
    ({ payload }) => payload['execution_id'] === id,
  );

/** Runs an execution to its end and waits until the notifier has processed it. */
async function notified(
  system: TestSystem,
  notify: NotifySpec,
  request: Partial<ExecutionRequest> = {},
  status: TerminalStatus = 'succeeded',
) {
  const record = await system.request({ notify, ...request });
  (await system.manual.runOf(record._id)).end({ status, result: { n: 1 } });
  await system.untilStatus(record._id, status);
  const ended = await eventually(
    async () => {
      const now = await system.executions.get(record._id);
      return !now.due && now;
    },
    () => 'the notifier to be done',
  );
  return { record: ended, instances: await instancesOf(system, record._id) };
}

describe('the sections of a notification', () => {
  const all: NotifySpec = { 'on-complete': {}, 'on-success': {}, 'on-failure': {} };

  it.each<[TerminalStatus, string[]]>([
    ['succeeded', ['on-complete', 'on-success']],
    ['failed', ['on-complete', 'on-failure']],
    ['timeout', ['on-complete', 'on-failure']],
    ['abandoned', ['on-complete', 'on-failure']],
    ['canceled', ['on-complete']],
  ])('for the status %s are %p', (status, sections) => {
    expect(sectionsFor({ status }, all)).toEqual(sections);
  });

  it('include only those that are present', () => {
    expect(sectionsFor({ status: 'succeeded' }, { 'on-failure': {} })).toEqual([]);
    expect(sectionsFor({ status: 'succeeded' })).toEqual([]);
  });

  it.each([
    ['on-complete', 'Action tests.action completed.'],
    ['on-success', 'Action tests.action succeeded.'],
    ['on-failure', 'Action tests.action failed.'],
  ] as const)('%s say %p', (section, text) => expect(defaultMessage(anExecution(), section)).toBe(text));
});

describe('the notifier', () => {
  it('creates one trigger instance for each route', async () => {
    const system = await started();
    const spec: NotifySpec = {
      'on-complete': { routes: ['chat', 'mail'] },
      'on-success': {},
      'on-failure': { routes: ['pager'] },
    };
    const { record, instances } = await notified(system, spec, { context: { trace_context: { trace_tag: 't' } } });
    expect(instances.map(({ payload }) => [payload['route'], payload['message']])).toEqual([
      ['chat', 'Action tests.action completed.'],
      ['mail', 'Action tests.action completed.'],
      ['notify.default', 'Action tests.action succeeded.'],
    ]);
    expect(instances[0]).toMatchObject({
      trigger: 'core.st2.generic.notifytrigger',
      status: 'pending',
      due: ['rules-engine'],
      trace_context: { trace_tag: 't' },
      payload: {
        execution_id: record._id,
        status: 'succeeded',
        action_ref: 'tests.action',
        runner_ref: 'manual',
        channel: 'chat',
        data: { result: '{"n": 1}' },
        start_timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        end_timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    expect(record).not.toHaveProperty('due_at');
  });

  it('renders message and data', async () => {
    const system = await started();
    const section = {
      message: '{{ action_parameters.who }} ended {{ action_context.user }}: {{ action_results.n }}',
      data: { list: ['{{ action_results.n }}'], deep: { who: '{{ action_parameters.who }}' }, number: 5 },
    };
    const { instances } = await notified(system, { 'on-complete': section }, { parameters: { who: 'bob' } });
    expect(instances[0]?.payload).toMatchObject({
      message: 'bob ended ada: 1',
      data: { list: [expect.anything()], deep: { who: 'bob' }, number: 5, result: '{"n": 1}' },
    });
  });

  it('renders data to text, also inside lists and objects', async () => {
    const system = await started();
    const data = {
      number: '{{ action_results.n }}',
      deep: { flags: ['{{ action_results.n == 1 }}'], all: '{{ action_results }}' },
      context: '{{ __context.action_parameters.who }}',
    };
    const { instances } = await notified(system, { 'on-complete': { data } }, { parameters: { who: 'bob' } });
    expect(instances[0]?.payload).toMatchObject({
      data: { number: '1', deep: { flags: ['True'], all: "{'n': 1}" }, context: 'bob' },
    });
  });

  it('replaces an empty message by the default', async () => {
    const { instances } = await notified(await started(), { 'on-complete': { message: '' } });
    expect(instances[0]?.payload).toMatchObject({ message: 'Action tests.action completed.' });
  });

  it('passes on literal data unchanged, even without a route', async () => {
    const system = await started();
    const data = { said: '{{ action_context.user }}', deep: ['{{ 1 + 1 }}'] };
    const { instances } = await notified(system, { 'on-complete': { data, routes: [null], literal: true } });
    expect(instances.map(({ payload }) => payload)).toMatchObject([{ data, route: null, channel: null }]);
  });

  it('never shows a secret', async () => {
    const system = await started();
    const section = { message: '{{ action_parameters.pin }}' };
    const { instances } = await notified(system, { 'on-complete': section }, { parameters: { pin: 'hidden-pin' } });
    expect(JSON.stringify(instances)).not.toContain('hidden-pin');
  });

  it('passes on text that cannot be rendered as written', async () => {
    const system = await started();
    const section = { message: '{{ nothing.at.all }}', data: { good: '{{ action_results.n }}', bad: '{% broken' } };
    const { instances } = await notified(system, { 'on-complete': section });
    expect(instances[0]?.payload).toMatchObject({ message: '{{ nothing.at.all }}', data: { bad: '{% broken' } });
    expect(system.platform.log.filter((line) => line.includes('Failed to render a notification'))).toHaveLength(2);
  });

  it('announces once what a killed notifier had already announced', async () => {
    const system = await started({ notifiers: 0 });
    const { executions } = system;
    const [stuck, released] = [deferred(), deferred()];
    later(() => released.resolve());
    const settle = () => {
      stuck.resolve();
      return released.promise;
    };
    const killed = createNotifier({
      ...system.platform,
      executions: { ...executions, records: { ...executions.records, settle } },
      dispatch: system.triggers.dispatch,
      listeners: system.listeners,
    });
    await killed.start();
    const record = await system.request({ notify: { 'on-complete': { routes: ['chat', 'mail'] } } });
    (await system.manual.runOf(record._id)).end();
    await stuck.promise;
    await killed.kill();
    expect((await system.executions.get(record._id)).due).toEqual(['notifier']);
    await system.addNotifier();
    await eventually(
      async () => !(await system.executions.get(record._id)).due,
      () => 'the mark to be gone',
    );
    const told = await instancesOf(system, record._id);
    expect(told.map(({ payload }) => payload['route'])).toEqual(['chat', 'mail']);
  });

  it('reads the datastore for templates, and each item once', async () => {
    const asked: string[] = [];
    const lookupFor: LookupFor = (context) => async (key) => {
      asked.push(`${String(context['user'])} ${key.scope} ${key.name}`);
      return 'hall 9';
    };
    const system = await started({ lookupFor });
    const section = { message: 'in {{ st2kv.system.place }}', data: { where: '{{ st2kv.system.place }}' } };
    const { instances } = await notified(system, { 'on-complete': section });
    expect(instances[0]?.payload).toMatchObject({ message: 'in hall 9', data: { where: 'hall 9' } });
    expect(asked).toEqual(['ada system place']);
  });

  it('notifies each route once', async () => {
    const system = await started();
    const { instances } = await notified(system, {
      'on-complete': { routes: ['chat', 'chat'] },
      'on-success': { routes: ['mail'] },
    });
    expect(instances.map(({ payload }) => payload['route'])).toEqual(['chat', 'mail']);
  });

  it('ignores repeated messages', async () => {
    const system = await started({ notifiers: 2 });
    const { record } = await notified(system, { 'on-complete': { routes: ['chat'] } });
    const fields = {
      id: record._id,
      liveaction_id: record.liveaction_id,
      ref: record.action_ref,
      status: record.status,
      revision: record.revision,
      trace: null,
    };
    const message = executionChange({ change: 'update', ...fields });
    await system.platform.bus.publisher().publishAll(Array.from({ length: 20 }, () => message));
    const other = await notified(system, { 'on-complete': {} });
    expect(other.instances).toHaveLength(1);
    expect(await instancesOf(system, record._id)).toHaveLength(1);
  });

  it('marks the execution as done when no section applies', async () => {
    const { instances } = await notified(await started(), { 'on-failure': {} });
    expect(instances).toEqual([]);
  });

  it('catches up on what happened while no notifier ran', async () => {
    const system = await started({ notifiers: 0 });
    const record = await system.request({ notify: { 'on-complete': {} } });
    (await system.manual.runOf(record._id)).end();
    expect((await system.untilStatus(record._id, 'succeeded')).due).toEqual(['notifier']);
    await system.addNotifier();
    await eventually(
      async () => !(await system.executions.get(record._id)).due,
      () => 'the mark to be gone',
    );
    expect(await instancesOf(system, record._id)).toHaveLength(1);
  });
});
