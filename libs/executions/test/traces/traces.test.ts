import { newId } from '@switchyard/base';
import type { Executions, TraceQuery } from '@switchyard/executions';
import type { ExecutionRecord, TraceRecord, TriggerInstanceRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { ACTION_TRIGGER, executionKey, timerTag, webhookTag } from '@switchyard/triggers';
import { by, executionsOn, register } from '../executions-fixture';

let platform: TestPlatform;
let executions: Executions;
let ref: string;
beforeEach(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  executions = executionsOn(platform);
  ref = await register(platform);
});
const later = leakCheck();

interface Shown extends Omit<TraceRecord, '_id' | 'start_timestamp'> {
  id: string;
  uid: string;
}

const run = (context: Record<string, unknown> = {}, request: Parameters<typeof by>[2] = {}) =>
  by(executions, ref, { context, ...request });

const traced = (trace: Record<string, unknown>) => run({ trace_context: trace });

async function find(query: Partial<TraceQuery>): Promise<Shown[]> {
  const page = { limit: 10, offset: 0 };
  const found = await executions.traces.find({ sort: { start_timestamp: -1 }, page, ...query });
  const items: unknown[] = [];
  for await (const trace of found.items) items.push(trace);
  expect(found.total).toBe(items.length);
  return items as Shown[];
}

const traceOf = async (query: Partial<TraceQuery>): Promise<Shown> => {
  const [trace, ...others] = await find(query);
  expect(others).toEqual([]);
  return trace!;
};

const ids = (components: readonly { object_id: string }[]) => components.map(({ object_id: id }) => id);

async function instance(given: Partial<TriggerInstanceRecord> = {}): Promise<TriggerInstanceRecord> {
  const now = platform.clock.nowMicros();
  const record = { _id: newId(), trigger: 'tests.t', payload: {}, occurrence_time: now, status: 'processed' as const };
  return (await platform.store.triggerInstances.insertOnce({ ...record, ...given })).record;
}

const endOf = (execution: ExecutionRecord) =>
  instance({
    trigger: ACTION_TRIGGER,
    payload: { execution_id: execution._id },
    request_key: executionKey(execution._id, 'status', execution.status),
  });

const aRule = () => ({ _id: newId(), ref: 'tests.r' });

/** Processes an instance like the rules engine. */
async function processed(happened: TriggerInstanceRecord, ...rules: ReturnType<typeof aRule>[]) {
  const trace = await executions.traces.ofInstance(happened);
  const ran: ExecutionRecord[] = [];
  for (const rule of rules)
    ran.push(
      await run({ trigger_instance: { id: happened._id, name: null }, rule: { id: rule._id, name: 'r' } }, { trace }),
    );
  await executions.traces.noteInstance(trace, happened, { rules, executions: ran });
  return { trace, ran };
}

const stored = () => platform.store.traces.count();

describe('an execution without a trace context', () => {
  it('has its own trace, which is not stored', async () => {
    const execution = await run();
    const trace = await traceOf({ execution: execution._id });
    expect(trace).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      uid: expect.stringMatching(/^trace:[0-9a-f]{32}$/),
      trace_tag: `execution-${execution.liveaction_id}`,
      start_timestamp: expect.stringMatching(/Z$/),
      trigger_instances: [],
      rules: [],
      action_executions: [{ object_id: execution._id, ref, updated_at: expect.stringMatching(/Z$/), caused_by: {} }],
    });
    expect(await executions.traces.get(trace.id)).toEqual(trace);
    expect(await traceOf({ tag: trace.trace_tag })).toEqual(trace);
    expect(await stored()).toBe(0);
    expect(execution.context).not.toHaveProperty('trace_context');
  });

  it('shares its trace with its children and the triggers of their ends', async () => {
    const parent = await run();
    const child = await run({ parent: { execution_id: parent._id } });
    const grandchild = await run({ parent: { execution_id: child._id } });
    const end = await endOf(child);
    const trace = await traceOf({ execution: grandchild._id });
    expect(ids(trace.action_executions)).toEqual([parent._id, child._id, grandchild._id]);
    expect(trace.action_executions[2]?.caused_by).toEqual({ type: 'action_execution', id: child._id });
    expect(trace.trigger_instances).toMatchObject([
      { object_id: end._id, caused_by: { type: 'action_execution', id: child._id } },
    ]);
    expect(await traceOf({ triggerInstance: end._id })).toEqual(trace);
    expect(await stored()).toBe(0);
  });

  it('shares its trace with its reruns', async () => {
    const first = await run();
    const again = await executions.rerun(first._id, { user: 'ada' });
    const trace = await traceOf({ execution: again._id });
    expect(ids(trace.action_executions)).toEqual([first._id, again._id]);
    expect(again.context['trace_context']).toEqual({ id_: trace.id });
    expect(await traceOf({ execution: first._id })).toEqual(trace);
  });
});

describe('an execution with a tag', () => {
  it('starts a new trace, even if the tag is in use', async () => {
    const [one, two] = [await traced({ trace_tag: 'same' }), await traced({ trace_tag: 'same' })];
    expect((await find({ tag: 'same' })).map(({ action_executions: list }) => ids(list))).toEqual([
      [two._id],
      [one._id],
    ]);
    expect(one.context['trace_context']).toMatchObject({ trace_tag: 'same', id_: expect.any(String) });
  });

  it('shares its trace with executions that name it', async () => {
    const one = await traced({ trace_tag: 'mine' });
    const { id } = await traceOf({ tag: 'mine' });
    const two = await traced({ id_: id });
    expect(ids((await traceOf({ execution: two._id })).action_executions)).toEqual([one._id, two._id]);
  });

  it('is created once when the request is repeated', async () => {
    const twice = () => run({ trace_context: { trace_tag: 'once' } }, { requestKey: 'key' });
    const [one] = await Promise.all([twice(), twice()]);
    expect(ids((await traceOf({ tag: 'once' })).action_executions)).toEqual([one._id]);
  });
});

describe('a request', () => {
  it.each([
    [{ id_: '0'.repeat(24) }, 'trace.not-found'],
    [{ id_: 'nope' }, 'trace.not-found'],
    [{ nope: 1 }, 'execution.context-member'],
    ['text', 'execution.context-member'],
  ])('with the trace context %j is refused and stores nothing', async (trace, code) => {
    await expect(run({ trace_context: trace })).rejects.toMatchObject({ code, status: 400 });
    expect(await platform.store.executions.count()).toBe(0);
  });

  it('treats an empty trace context like none', async () => {
    const execution = await traced({});
    expect((await traceOf({ execution: execution._id })).trace_tag).toBe(`execution-${execution.liveaction_id}`);
    expect(await stored()).toBe(0);
  });

  it('can name the trace of a plain execution, which is then stored', async () => {
    const plain = await run();
    const { id } = await traceOf({ execution: plain._id });
    const second = await traced({ id_: id });
    expect(ids((await traceOf({ ids: [id] })).action_executions)).toEqual([plain._id, second._id]);
    expect(await stored()).toBe(1);
  });
});

describe('an instance', () => {
  it('without a matching rule has its own trace, which is not stored without a tag', async () => {
    const happened = await instance();
    await processed(happened);
    expect(await traceOf({ triggerInstance: happened._id })).toMatchObject({
      trace_tag: `trigger_instance-${happened._id}`,
      trigger_instances: [{ object_id: happened._id, ref: 'tests.t', caused_by: {} }],
    });
    expect(await traceOf({ tag: `trigger_instance-${happened._id}` })).toMatchObject({ rules: [] });
    expect(await stored()).toBe(0);
    const tagged = await instance({ trace_context: { trace_tag: 'a tag' } });
    await processed(tagged);
    expect(ids((await traceOf({ tag: 'a tag' })).trigger_instances)).toEqual([tagged._id]);
  });

  it('shares its trace with the rules that match and the executions they run', async () => {
    const happened = await instance({ trace_context: { trace_tag: 'chain' } });
    const [one, two] = [aRule(), aRule()];
    const { ran } = await processed(happened, one, two);
    const trace = await traceOf({ tag: 'chain' });
    expect(trace).toMatchObject({
      trigger_instances: [{ object_id: happened._id }],
      rules: [one, two].map(({ _id }) => ({
        object_id: _id,
        ref: 'tests.r',
        caused_by: { type: 'trigger_instance', id: happened._id },
      })),
      action_executions: [
        { object_id: ran[0]?._id, caused_by: { type: 'rule', id: `${one._id}:${happened._id}` } },
        { object_id: ran[1]?._id, caused_by: { type: 'rule', id: `${two._id}:${happened._id}` } },
      ],
    });
    for (const query of [{ rule: two._id }, { triggerInstance: happened._id }, { execution: ran[1]!._id }])
      expect(await traceOf(query)).toEqual(trace);
    expect(ran[0]?.context['trace_context']).toEqual({ id_: trace.id, trace_tag: 'chain' });
    await executions.traces.noteInstance({ id_: trace.id, trace_tag: 'chain' }, happened, {
      rules: [one, two],
      executions: ran,
    });
    expect(await traceOf({ tag: 'chain' })).toEqual(trace);
  });

  it('continues the trace of the execution whose end it reports', async () => {
    const happened = await instance({ trace_context: { trace_tag: 'long chain' } });
    const { ran } = await processed(happened, aRule());
    const end = await endOf(ran[0]!);
    const next = await processed(end, aRule());
    const trace = await traceOf({ tag: 'long chain' });
    expect(ids(trace.trigger_instances)).toEqual([happened._id, end._id]);
    expect(ids(trace.action_executions)).toEqual([ran[0]!._id, next.ran[0]!._id]);
    expect(trace.rules).toHaveLength(2);
    expect(await stored()).toBe(1);
  });

  it('continues the trace of a plain execution, too', async () => {
    const plain = await run();
    const child = await run({ parent: { execution_id: plain._id } });
    const { ran } = await processed(await endOf(child), aRule());
    const trace = await traceOf({ execution: ran[0]!._id });
    expect(trace.trace_tag).toBe(`execution-${plain.liveaction_id}`);
    expect(ids(trace.action_executions)).toEqual([plain._id, ran[0]!._id, child._id]);
    expect(await traceOf({ execution: plain._id })).toEqual(trace);
  });

  it('with a tag joins the trace of that tag, unless that is old or the tag names a timer', async () => {
    const with_ = (tag: string, given: Partial<TriggerInstanceRecord> = {}) =>
      instance({ trace_context: { trace_tag: tag }, ...given });
    for (let n = 0; n < 3; n++) await processed(await with_('reused'));
    expect((await traceOf({ tag: 'reused' })).trigger_instances).toHaveLength(3);
    for (const tag of [timerTag('core.st2.IntervalTimer', 'every-minute'), webhookTag('x'.repeat(600))]) {
      for (let n = 0; n < 2; n++) await processed(await with_(tag));
      expect(await find({ tag })).toHaveLength(2);
    }
    await processed(await with_('reused', { occurrence_time: platform.clock.nowMicros() + 2 * 86_400e6 }));
    expect(await find({ tag: 'reused' })).toHaveLength(2);
  });

  it('that names a trace is listed in it even if no rule matches', async () => {
    const { id } = await traceOf({ execution: (await run())._id });
    const happened = await instance({ trace_context: { id_: id } });
    await processed(happened);
    const trace = await traceOf({ triggerInstance: happened._id });
    expect(trace.id).toBe(id);
    expect(ids(trace.trigger_instances)).toEqual([happened._id]);
  });

  it('sent by a client with the id of an execution has its own trace', async () => {
    const execution = await run();
    const sent = await instance({ trigger: ACTION_TRIGGER, payload: { execution_id: execution._id } });
    expect(ids((await traceOf({ triggerInstance: sent._id })).trigger_instances)).toEqual([sent._id]);
    expect((await traceOf({ execution: execution._id })).trigger_instances).toEqual([]);
  });

  it('that is emitted again names its original', async () => {
    const first = await instance();
    const copy = await instance({ payload: { __context: { original_id: first._id } } });
    expect((await traceOf({ triggerInstance: copy._id })).trigger_instances).toMatchObject([
      { object_id: copy._id, caused_by: { type: 'trigger_instance', id: first._id } },
    ]);
  });
});

describe('traces', () => {
  it('are not found if they do not exist', async () => {
    const absent = '0'.repeat(24);
    for (const query of [
      { execution: absent },
      { rule: absent },
      { triggerInstance: absent },
      { tag: 'no' },
      { ids: [absent] },
      { tag: `execution-${absent}` },
    ])
      // oxfmt-ignore
      expect(await find(query)).toEqual([]);
    for (const id of [absent, 'nope']) await expect(executions.traces.get(id)).rejects.toMatchObject({ status: 404 });
  });

  it('must match every filter', async () => {
    const one = await traced({ trace_tag: 'one' });
    const two = await traced({ trace_tag: 'two' });
    expect(await find({ tag: 'one', execution: one._id })).toHaveLength(1);
    expect(await find({ tag: 'one', execution: two._id })).toEqual([]);
  });

  it('hold a bounded number of components', async () => {
    const { store } = platform;
    const component = (n: number) => ({ object_id: `c${n}`, ref: 'x', updated_at: 1, caused_by: {} });
    const rules = Array.from({ length: 4999 }, (_, n) => component(n));
    const trace = { _id: newId(), trace_tag: 't', start_timestamp: 1, trigger_instances: [], action_executions: [] };
    expect(await store.traces.insertOnce({ ...trace, rules })).toBe(true);
    expect(await store.traces.insertOnce({ ...trace, rules: [] })).toBe(false);
    for (const n of [4999, 5000, 5001]) expect(await store.traces.add(trace._id, { rules: [component(n)] })).toBe(true);
    expect((await store.traces.get(trace._id))?.rules).toHaveLength(5000);
    expect(await store.traces.add(newId(), { rules: [component(1)] })).toBe(false);
  });
});
