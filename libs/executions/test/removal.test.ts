import { newId, type Micros } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import type { ExecutionRecord, PurgeKind, WorkflowRecord } from '@switchyard/model';
import { aChunk, anExecution, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { executionsOn } from './executions-fixture';

let platform: TestPlatform;
let executions: Executions;
beforeEach(async () => {
  platform = await openTestPlatform();
  executions = executionsOn(platform);
});
afterEach(() => platform.close());

/** Everything before this time is old. */
const BEFORE = 1000;

async function stored(given: Partial<ExecutionRecord> = {}): Promise<ExecutionRecord> {
  const record = anExecution({ status: 'succeeded', start_timestamp: 10, end_timestamp: 20, ...given });
  return (await platform.store.executions.insert(record)).record;
}

async function storedRun(execution: string, given: Partial<WorkflowRecord> = {}): Promise<WorkflowRecord> {
  const run = {
    ...{ _id: newId(), execution, definition: 'd', parameters: [], owner: 'engine', depth: 0, started_at: 10 },
    options: { notify: [], skip_notify: [], display_published: false },
    ...given,
  };
  await platform.store.workflows.insert(run);
  const step = { workflow: run._id, at: 10 };
  await platform.store.workflows.append({ ...step, _id: `${run._id}:1`, revision: 1, step: 'sealed' });
  const blob = await platform.store.blobs.put('a large step');
  await platform.store.workflows.append({ ...step, _id: `${run._id}:2`, revision: 2, step_blob: blob });
  return run;
}

/** A workflow with two tasks that both began and ended before it did. */
async function storedWorkflow(given: Partial<ExecutionRecord> = {}) {
  const [_id, run] = [newId(), newId()];
  const workflow = await stored({
    ...{ _id, action_is_workflow: true, context: { user: 'ada', workflow_execution: run } },
    ...given,
  });
  await storedRun(_id, { _id: run });
  const task = { root: _id, parent: _id, workflow_execution: run, nesting: 1, start_timestamp: 11 };
  const tasks = [await stored({ ...task, end_timestamp: 15 }), await stored({ ...task, end_timestamp: 16 })];
  return { workflow, run, tasks };
}

/** Takes all steps. @returns how many records were removed */
async function removed(kind: PurgeKind, choice: object = {}, limit = 10): Promise<number> {
  let sum = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const step = await executions.removal.step(kind, { before: BEFORE, ...choice }, { limit, after });
    sum += step.removed;
    after = step.next;
  }
  return sum;
}

const left = async () => (await platform.store.executions.list({})).map(({ _id }) => _id).sort();
const ids = (...records: readonly { _id: string }[]) => records.map(({ _id }) => _id).sort();

describe('executions', () => {
  it.each(['succeeded', 'failed', 'timeout', 'canceled', 'abandoned'] as const)(
    'are removed with status %s, and their output and result with them',
    async (status) => {
      const { store } = platform;
      const result_blob = await store.blobs.put('a large result');
      const record = await stored({ status, result_blob });
      await store.output.append([
        aChunk({ execution_id: record._id }),
        aChunk({ execution_id: record._id, sequence: 2 }),
      ]);
      const young = await stored({ start_timestamp: 990, end_timestamp: BEFORE });
      await store.output.append([aChunk({ execution_id: young._id })]);
      expect(await removed('executions')).toBe(1);
      expect(await left()).toEqual(ids(young));
      expect(await store.output.read(record._id)).toEqual([]);
      expect(await store.output.read(young._id)).toHaveLength(1);
      expect(await store.blobs.get(result_blob)).toBeUndefined();
      expect(await store.removals.list()).toEqual([]);
    },
  );

  it.each<[string, Partial<ExecutionRecord>]>([
    ['have not ended', { status: 'running' }],
    ['wait for an answer', { status: 'pending' }],
    ['ended later', { status: 'succeeded', end_timestamp: BEFORE }],
    ['are still to be announced', { status: 'succeeded', end_timestamp: 20, due: ['notifier'], due_at: 20 }],
  ])('are kept if they %s, unless incomplete ones are removed too', async (_state, given) => {
    const record = anExecution({ start_timestamp: 10, ...given });
    await platform.store.executions.insert(record);
    expect(await removed('executions')).toBe(0);
    expect(await left()).toEqual(ids(record));
    expect(await removed('executions', { incomplete: true })).toBe(1);
  });

  it('of one action are removed alone', async () => {
    await stored({ action_ref: 'tests.one' });
    const other = await stored();
    expect(await removed('executions', { action: 'tests.one' })).toBe(1);
    expect(await left()).toEqual(ids(other));
  });

  it('are removed in several steps, even after many that are kept and began together', async () => {
    const { workflow } = await storedWorkflow({ status: 'running', start_timestamp: 5 });
    const task = { root: workflow._id, parent: workflow._id, nesting: 1, start_timestamp: 12 };
    for (let i = 0; i < 9; i++) await stored(task);
    for (let i = 0; i < 9; i++) await stored({ start_timestamp: 12 });
    const last = await stored({ start_timestamp: 900, end_timestamp: 901 });
    expect(await removed('executions', {}, 4)).toBe(10);
    expect(await left()).not.toContain(last._id);
    expect(await platform.store.executions.count({ root: workflow._id })).toBe(11);
  });
});

describe('a workflow', () => {
  it('is removed with its run, its journal and its tasks', async () => {
    const { run } = await storedWorkflow();
    const [blob] = await platform.store.workflows.blobsOf([run]);
    expect(await removed('executions')).toBe(3);
    expect(await left()).toEqual([]);
    expect(await platform.store.workflows.get(run)).toBeUndefined();
    expect(await platform.store.workflows.journal(run)).toEqual([]);
    expect(await platform.store.blobs.get(blob!)).toBeUndefined();
  });

  it.each<[string, Partial<ExecutionRecord>]>([
    ['has not ended', { status: 'running' }],
    ['ended later', { end_timestamp: 2 * BEFORE }],
  ])('keeps its tasks if it %s', async (_state, given) => {
    const { workflow, run, tasks } = await storedWorkflow(given);
    expect(await removed('executions')).toBe(0);
    expect(await left()).toEqual(ids(workflow, ...tasks));
    expect(await platform.store.workflows.journal(run)).toHaveLength(2);
  });

  it('that ran again keeps its run and its tasks as long as the later execution', async () => {
    const { run, tasks } = await storedWorkflow();
    const later = await stored({
      action_is_workflow: true,
      end_timestamp: 2 * BEFORE,
      context: { workflow_execution: run },
    });
    await platform.store.workflows.reopen(run, later._id, 'engine');
    expect(await removed('executions')).toBe(1);
    expect(await left()).toEqual(ids(later, ...tasks));
    expect(await platform.store.workflows.journal(run)).toHaveLength(2);
    await platform.store.workflows.close([run]);
    expect(await removed('executions', { before: 3 * BEFORE })).toBe(3);
    expect(await platform.store.workflows.get(run)).toBeUndefined();
  });

  it('loses its journal and keeps its executions when workflows are removed', async () => {
    const { workflow, run, tasks } = await storedWorkflow();
    const young = await storedWorkflow({ end_timestamp: 2 * BEFORE });
    const open = await storedRun(newId(), { open: true });
    expect(await removed('workflows', {}, 2)).toBe(1);
    expect(await left()).toEqual(ids(workflow, ...tasks, young.workflow, ...young.tasks));
    expect(await platform.store.workflows.get(run)).toBeUndefined();
    expect(await platform.store.workflows.journal(run)).toEqual([]);
    expect(await platform.store.workflows.journal(young.run)).toHaveLength(2);
    expect(await removed('workflows', { incomplete: true })).toBe(2);
    expect(await platform.store.workflows.get(open._id)).toBeUndefined();
  });
});

describe('an interrupted removal', () => {
  it('is completed', async () => {
    const { store } = platform;
    const { run } = await storedWorkflow();
    const gone = newId();
    await store.output.append([aChunk({ execution_id: gone })]);
    const blob = await store.blobs.put('a large result');
    await store.removals.insert({ _id: newId(), executions: [gone], workflows: [run], blobs: [blob.id] });
    await executions.removal.complete();
    expect(await store.output.read(gone)).toEqual([]);
    expect(await store.workflows.journal(run)).toEqual([]);
    expect(await store.blobs.get(blob)).toBeUndefined();
    expect(await store.removals.list()).toEqual([]);
  });
});

describe('copies', () => {
  it('contain whole records and are written before the removal; if that fails, nothing is removed', async () => {
    const record = await stored({ parameters: { a: 1 } });
    const seen: unknown[] = [];
    const failing = (records: readonly unknown[]) => {
      seen.push(...records);
      return Promise.reject(new Error('disk full'));
    };
    const step = executions.removal.step('executions', { before: BEFORE }, { limit: 10, keepCopies: failing });
    await expect(step).rejects.toThrow('disk full');
    expect(seen).toEqual([record]);
    expect(await left()).toEqual(ids(record));
  });
});

describe('other records', () => {
  const at = (time: Micros) => ({ _id: newId(), time });
  const old = [at(10), at(20), at(30)];
  const young = at(BEFORE);

  it('of events are removed by age, except for those that are not processed', async () => {
    const { triggerInstances } = platform.store;
    const event = { trigger: 'tests.t', payload: {} };
    for (const { _id, time } of [...old, young])
      await triggerInstances.insertOnce({ ...event, _id, status: 'processed', occurrence_time: time });
    const waiting = { ...event, _id: newId(), status: 'pending' as const, occurrence_time: 5 };
    await triggerInstances.insertOnce({ ...waiting, due: ['rules-engine'], due_at: 5 });
    expect(await removed('trigger-instances', {}, 2)).toBe(3);
    expect((await triggerInstances.list()).map(({ _id }) => _id).sort()).toEqual(ids(young, waiting));
  });

  it('of rules and traces are removed by age', async () => {
    const { ruleEnforcements, traces } = platform.store;
    for (const { _id, time } of [...old, young]) {
      const rule = { ref: 'tests.rule', id: newId(), uid: 'rule:tests:rule' };
      const enforcement = { trigger_instance_id: newId(), rule, status: 'succeeded' as const };
      await ruleEnforcements.insertOnce({ ...enforcement, _id, enforced_at: time, request_key: _id });
      const parts = { trigger_instances: [], rules: [], action_executions: [] };
      await traces.insertOnce({ ...parts, _id, trace_tag: 't', start_timestamp: time });
    }
    expect([await removed('rule-enforcements', {}, 2), await removed('traces')]).toEqual([3, 3]);
    expect((await ruleEnforcements.list()).map(({ _id }) => _id)).toEqual([young._id]);
    expect((await traces.list()).map(({ _id }) => _id)).toEqual([young._id]);
  });

  it('of logins are removed when they expired before', async () => {
    const token = (_id: string, expiry: Date) =>
      platform.store.tokens.insert({ _id, user: 'ada', expiry, token_hash: _id, metadata: {}, service: false });
    const now = platform.clock.nowMicros();
    await token('old', new Date(now / 1000 - 60_000));
    await token('valid', new Date(now / 1000 + 60_000));
    expect(await removed('tokens', { before: now })).toBe(1);
    expect(await platform.store.tokens.get('valid')).toBeDefined();
  });

  it('of output are removed by age, the oldest first', async () => {
    const { output } = platform.store;
    const of = { execution_id: newId() };
    await output.append([1, 2, 3].map((sequence) => aChunk({ ...of, sequence, timestamp: sequence * 400 })));
    expect(await executions.removal.outputStep(BEFORE, 1)).toEqual({ removed: 1, next: '' });
    expect(await executions.removal.outputStep(BEFORE, 2)).toEqual({ removed: 1 });
    expect((await output.read(of.execution_id)).map(({ sequence }) => sequence)).toEqual([3]);
  });
});
