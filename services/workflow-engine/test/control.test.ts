import { KIB, newId } from '@switchyard/base';
import { checkPolicy, type ActionRecord, type ExecutionRecord } from '@switchyard/model';
import { eventually, leakCheck } from '@switchyard/testkit/system';
import { workflowSystem, type WorkflowSystem } from './support/workflow-system';

const later = leakCheck();

async function started(options = {}): Promise<WorkflowSystem> {
  const system = await workflowSystem(options);
  later(() => system.close());
  return system;
}

const TWO = `
version: 1.0
tasks:
  first:
    action: tests.manual
    next:
      - when: <% succeeded() %>
        do: second
  second:
    action: tests.manual
`;
const AROUND =
  'version: 1.0\ntasks:\n  inner:\n    action: tests.two\n    next:\n      - do: after\n  after:\n    action: tests.noop\n';

/** The first action of a workflow, once it runs. */
const firstRun = (system: WorkflowSystem) => system.manual.runs.until(1).then(([run]) => run!);

const inner = async (system: WorkflowSystem, id: string) =>
  eventually(
    async () => (await system.children(id))[0],
    () => 'the inner workflow',
  );

describe('a paused workflow', () => {
  it('lets running actions end and starts nothing; once resumed, it continues', async () => {
    const system = await started();
    await system.workflow('two', TWO);
    const { _id: id } = await system.request({ action: 'tests.two' });
    const run = await firstRun(system);
    await system.untilStatus(id, 'running');
    await system.executions.update(id, { status: 'pausing' }, 'bob');
    await system.untilHeard(id);
    run.end();
    const paused = await system.untilStatus(id, 'paused');
    expect(paused.context['paused_by']).toBe('bob');
    expect(await system.children(id)).toHaveLength(1);
    await system.executions.update(id, { status: 'resuming' }, 'eve');
    const [, second] = await system.manual.runs.until(2);
    second!.end();
    const ended = await system.untilStatus(id);
    expect(ended).toMatchObject({ status: 'succeeded', context: { resumed_by: 'eve' } });
  });
});

const logOf = async (system: WorkflowSystem, id: string) =>
  (await system.executions.get(id)).log.map(({ status }) => status);

const GO_ON = ['pausing', 'paused', 'resuming', 'running', 'succeeded'];

describe.each([
  ['a workflow', 'orquesta', TWO, AROUND],
  [
    'a chain',
    'action-chain',
    'chain:\n  - {name: first, ref: tests.manual, on-success: second}\n  - {name: second, ref: tests.manual}\n',
    'chain:\n  - {name: inner, ref: tests.two, on-success: after}\n  - {name: after, ref: tests.noop}\n',
  ],
])('%s around a paused one', (_, runner, two, around) => {
  async function pausedBoth() {
    const system = await started();
    await system.workflow('two', two, { runner_type: runner });
    await system.workflow('around', around, { runner_type: runner });
    const { _id: id } = await system.request({ action: 'tests.around' });
    const run = await firstRun(system);
    const { _id: child } = await inner(system, id);
    await system.untilStatus(id, 'running');
    await system.executions.update(id, { status: 'pausing' }, 'bob');
    await system.untilStatus(child, 'pausing');
    await system.untilHeard(child);
    run.end();
    await system.untilStatus(child, 'paused');
    await system.untilStatus(id, 'paused');
    await system.untilHeard(id);
    return { system, id, child };
  }

  it.each(['outer', 'inner'] as const)('runs with it once the %s one is resumed', async (which) => {
    const { system, id, child } = await pausedBoth();
    await system.executions.update(which === 'outer' ? id : child, { status: 'resuming' }, 'bob');
    const second = (await system.manual.runs.until(2))[1]!;
    await system.untilStatus(child, 'running');
    await system.untilHeard(child);
    await system.untilStatus(id, 'running');
    second.end();
    await system.untilStatus(id, 'succeeded');
    expect((await logOf(system, id)).slice(-5)).toEqual(GO_ON);
    expect((await logOf(system, child)).slice(-5)).toEqual(GO_ON);
  });

  it('can be paused again after that', async () => {
    const { system, id, child } = await pausedBoth();
    await system.executions.update(id, { status: 'resuming' }, 'bob');
    const second = (await system.manual.runs.until(2))[1]!;
    await system.untilStatus(child, 'running');
    await system.untilHeard(child);
    await system.untilStatus(id, 'running');
    await system.executions.update(id, { status: 'pausing' }, 'bob');
    await system.untilStatus(child, 'pausing');
    await system.untilHeard(child);
    second.end();
    await system.untilStatus(child, 'paused');
    await system.untilStatus(id, 'paused');
    await system.executions.update(id, { status: 'resuming' }, 'bob');
    await system.untilStatus(id, 'succeeded');
  });
});

it('a workflow stays running while one of its inner workflows is paused and resumed', async () => {
  const system = await started();
  await system.workflow('two', TWO);
  await system.workflow(
    'both',
    'version: 1.0\ntasks:\n  inner:\n    action: tests.two\n  other:\n    action: tests.manual\n',
  );
  const { _id: id } = await system.request({ action: 'tests.both' });
  const runs = await system.manual.runs.until(2);
  const parents = await Promise.all(
    runs.map(async (run) => (await system.executions.get(run.request.executionId)).parent),
  );
  const [other, first] = parents[0] === id ? runs : [runs[1], runs[0]];
  const child = parents.find((parent) => parent !== id)!;
  await system.untilStatus(child, 'running');
  await system.executions.update(child, { status: 'pausing' }, 'bob');
  await system.untilHeard(child);
  first!.end();
  await system.untilStatus(child, 'paused');
  await system.untilHeard(child);
  await system.executions.update(child, { status: 'resuming' }, 'bob');
  const second = (await system.manual.runs.until(3))[2]!;
  await system.untilStatus(child, 'running');
  await system.untilHeard(child);
  other!.end();
  await system.untilStatus(other!.request.executionId);
  second.end();
  await system.untilStatus(id, 'succeeded');
  expect((await logOf(system, id)).filter((status) => status === 'paused')).toEqual([]);
});

describe('a paused chain', () => {
  const CHAIN = `
chain:
  - {name: first, ref: tests.manual, publish: {said: '{{ first.word }}'}, on-success: second}
  - {name: second, ref: tests.manual, on-success: third}
  - {name: third, ref: tests.noop}
`;
  const LARGE = 'x'.repeat(300 * KIB);

  async function paused(word: string) {
    const system = await started();
    await system.workflow('chain', CHAIN, { runner_type: 'action-chain' });
    const { _id: id } = await system.request({ action: 'tests.chain' });
    const run = await firstRun(system);
    await system.untilStatus(id, 'running');
    await system.executions.update(id, { status: 'pausing' }, 'bob');
    await system.untilHeard(id);
    run.end({ result: { word } });
    return { system, id, record: await system.untilStatus(id, 'paused') };
  }

  it.each([
    ['small', 'hi'],
    ['large', LARGE],
  ])('shows the results of its nodes so far, even if %s, and all of them at the end', async (_, word) => {
    const { system, id, record } = await paused(word);
    const first = { name: 'first', state: 'succeeded', result: { word } };
    const soFar = (await system.shown(record)).result;
    expect(soFar).toMatchObject({ tasks: [first], published: { said: word } });
    await system.executions.update(id, { status: 'resuming' }, 'bob');
    const [, second] = await system.manual.runs.until(2);
    await system.untilStatus(id, 'running');
    expect((await system.shown(await system.executions.get(id))).result).toEqual(soFar);
    second!.end();
    const { result } = await system.shown(await system.untilStatus(id));
    expect(result).toMatchObject({ tasks: [first, { name: 'second' }, { name: 'third' }], published: { said: word } });
    expect(await blobsOf(system, record)).toBeUndefined();
  });

  it('shows that it was canceled, and none of the earlier results', async () => {
    const { system, id, record } = await paused(LARGE);
    expect(await blobsOf(system, record)).toContain('"tasks"');
    await system.executions.cancel(id, 'bob');
    await system.untilStatus(id);
    expect(await blobsOf(system, record)).toBeUndefined();
  });
});

/** The stored values beside an earlier version of a record. */
const blobsOf = async ({ platform: { store } }: WorkflowSystem, { result_blob: blob }: ExecutionRecord) =>
  blob && store.blobs.get(blob);

describe('a canceled workflow', () => {
  it('stops running actions and starts nothing', async () => {
    const system = await started();
    await system.workflow('two', TWO);
    const { _id: id } = await system.request({ action: 'tests.two' });
    const run = await firstRun(system);
    await system.untilStatus(id, 'running');
    await system.executions.cancel(id, 'bob');
    await run.cancelAsked;
    expect(await system.untilStatus(id)).toMatchObject({ status: 'canceled', context: { cancelled_by: 'bob' } });
    expect(await system.children(id)).toMatchObject([{ status: 'canceled' }]);
  });

  it.each<[string, string, Partial<ActionRecord>]>([
    ['items', 'version: 1.0\ntasks:\n  each:\n    with: <% range(2) %>\n    action: tests.manual\n', {}],
    ['chain', 'chain:\n  - {name: first, ref: tests.manual}\n', { runner_type: 'action-chain' }],
  ])('stops running actions in %s, too', async (name, text, action) => {
    const system = await started();
    await system.workflow(name, text, action);
    const { _id: id } = await system.request({ action: `tests.${name}` });
    const all = await system.manual.runs.until(name === 'items' ? 2 : 1);
    await system.untilStatus(id, 'running');
    await system.executions.cancel(id, 'bob');
    await Promise.all(all.map(({ cancelAsked }) => cancelAsked));
    expect((await system.untilStatus(id)).status).toBe('canceled');
    expect((await system.children(id)).map(({ status }) => status)).toEqual(all.map(() => 'canceled'));
  });

  it.each(['outer', 'inner'])('ends with its inner and outer workflows: the %s one', async (which) => {
    const system = await started();
    await system.workflow('two', TWO);
    await system.workflow('around', AROUND);
    const { _id: outer } = await system.request({ action: 'tests.around' });
    await firstRun(system);
    const { _id: child } = await inner(system, outer);
    await system.executions.cancel(which === 'outer' ? outer : child, 'bob');
    expect((await system.untilStatus(child)).status).toBe('canceled');
    expect((await system.untilStatus(outer)).status).toBe('canceled');
  });

  it('can be canceled while it is paused', async () => {
    const system = await started();
    await system.workflow('two', TWO);
    const { _id: id } = await system.request({ action: 'tests.two' });
    const run = await firstRun(system);
    await system.untilStatus(id, 'running');
    await system.executions.update(id, { status: 'pausing' }, 'bob');
    await system.untilHeard(id);
    run.end();
    await system.untilStatus(id, 'paused');
    await system.executions.cancel(id, 'bob');
    expect((await system.untilStatus(id)).status).toBe('canceled');
  });
});

it.each(['outer', 'inner'])(
  'a canceled workflow is canceled even if a transition needs the result of an action: %s',
  async (which) => {
    const system = await started();
    const text = TWO.replace('- when: <% succeeded() %>', '- publish: value=<% result().result %>');
    await system.workflow('two', text);
    await system.workflow('around', AROUND);
    const { _id: id } = await system.request({ action: which === 'outer' ? 'tests.two' : 'tests.around' });
    await firstRun(system);
    await system.untilStatus(id, 'running');
    await system.executions.cancel(id, 'bob');
    expect(await system.shown(await system.untilStatus(id))).toEqual({ status: 'canceled', result: { output: null } });
    if (which === 'inner') expect((await system.untilStatus((await inner(system, id))._id)).status).toBe('canceled');
  },
);

describe('a canceled workflow whose actions may finish', () => {
  const option = { overrides: { workflow_engine: { cancel_running_actions: false } } };
  const ITEMS = `
version: 1.0
tasks:
  each:
    with:
      items: <% range(3) %>
      concurrency: 2
    action: tests.manual
    next:
      - do: after
  after:
    action: tests.noop
`;
  const CHAIN = 'chain:\n  - {name: first, ref: tests.manual, on-success: after}\n  - {name: after, ref: tests.noop}\n';

  async function canceled(name: string, text: string, runs: number, action: Partial<ActionRecord> = {}) {
    const system = await started(option);
    await system.workflow(name, text, action);
    const { _id: id } = await system.request({ action: `tests.${name}` });
    const all = await system.manual.runs.until(runs);
    await system.untilStatus(id, 'running');
    await system.executions.cancel(id, 'bob');
    await system.untilHeard(id);
    return { system, id, all };
  }

  it.each<[string, string, number, Partial<ActionRecord>]>([
    ['two', TWO, 1, {}],
    ['items', ITEMS, 2, {}],
    ['chain', CHAIN, 1, { runner_type: 'action-chain' }],
  ])('waits for running actions and starts nothing: %s', async (name, text, runs, action) => {
    const { system, id, all } = await canceled(name, text, runs, action);
    for (const run of all) {
      expect((await system.executions.get(id)).status).toBe('canceling');
      run.end({ result: { done: true } });
    }
    expect(await system.untilStatus(id)).toMatchObject({ status: 'canceled', context: { cancelled_by: 'bob' } });
    expect(all.map(({ canceled }) => canceled)).toEqual(all.map(() => false));
    expect((await system.children(id)).map(({ status }) => status)).toEqual(all.map(() => 'succeeded'));
  });

  it.each(['outer', 'inner'])('waits for actions in inner and outer workflows: the %s one', async (which) => {
    const system = await started(option);
    await system.workflow('two', TWO);
    await system.workflow('around', AROUND);
    const { _id: outer } = await system.request({ action: 'tests.around' });
    const run = await firstRun(system);
    const { _id: child } = await inner(system, outer);
    await system.untilStatus(child, 'running');
    await system.untilStatus(outer, 'running');
    await system.executions.cancel(which === 'outer' ? outer : child, 'bob');
    for (const id of [outer, child]) {
      await system.untilStatus(id, 'canceling');
      await system.untilHeard(id);
    }
    expect(run.canceled).toBe(false);
    run.end();
    for (const id of [outer, child]) expect((await system.untilStatus(id)).status).toBe('canceled');
    expect(await system.children(child)).toMatchObject([{ status: 'succeeded' }]);
    expect(await system.children(outer)).toHaveLength(1);
  });

  it('does not wait for a delayed action', async () => {
    const text = 'version: 1.0\ntasks:\n  slow:\n    delay: 600\n    action: tests.manual\n';
    const { system, id } = await canceled('slow', text, 0);
    expect((await system.untilStatus(id)).status).toBe('canceled');
    expect((await system.children(id)).map(({ status }) => status)).toEqual(['canceled']);
  });

  it('ends an action that is canceled by itself', async () => {
    const { system, id, all } = await canceled('two', TWO, 1);
    await system.executions.cancel(all[0]!.request.executionId, 'bob');
    await all[0]!.cancelAsked;
    expect((await system.untilStatus(id)).status).toBe('canceled');
  });
});

it('a canceled action cancels its workflow', async () => {
  const system = await started();
  await system.workflow('two', TWO);
  const { _id: id } = await system.request({ action: 'tests.two' });
  const run = await firstRun(system);
  await system.executions.cancel(run.request.executionId, 'bob');
  expect((await system.untilStatus(id)).status).toBe('canceled');
});

describe('a timeout', () => {
  it('ends an action', async () => {
    const system = await started();
    await system.workflow('slow', 'version: 1.0\ntasks:\n  long:\n    action: tests.manual\n    timeout: 1\n');
    const { _id: id } = await system.request({ action: 'tests.slow' });
    expect(await system.shown(await system.untilStatus(id))).toEqual({
      status: 'failed',
      result: { output: null, errors: [] },
    });
    const [child] = await system.children(id);
    expect((await system.untilStatus(child!._id)).status).toBe('canceled');
  });

  it('ends the workflow', async () => {
    const system = await started();
    await system.workflow('slow', 'version: 1.0\ntimeout: 1\ntasks:\n  long:\n    action: tests.manual\n');
    const { status, result } = await system.outcome('slow');
    expect(status).toBe('failed');
    expect(JSON.stringify(result)).toContain('WorkflowTimeout');
    (await firstRun(system)).end();
  });
});

describe('tasks that are rerun', () => {
  const GATED = `
version: 1.0
tasks:
  before:
    action: tests.noop
    next:
      - do: gate
  gate:
    action: tests.manual
    next:
      - when: <% succeeded() %>
        do: after
  after:
    action: tests.noop
output:
  - state: <% task(after).status %>
`;
  const failed = async (system: WorkflowSystem) => {
    await system.workflow('gated', GATED);
    const { _id: id } = await system.request({ action: 'tests.gated' });
    (await firstRun(system)).end({ status: 'failed' });
    expect((await system.untilStatus(id)).status).toBe('failed');
    return id;
  };

  it('continue from there in a new execution', async () => {
    const system = await started();
    const id = await failed(system);
    const again = await system.executions.rerun(id, { tasks: ['gate'], user: 'ada' });
    (await system.manual.runs.until(2))[1]!.end();
    const ended = await system.untilStatus(again._id);
    expect(await system.shown(ended)).toEqual({ status: 'succeeded', result: { output: { state: 'succeeded' } } });
    expect((await system.children(again._id)).map(({ action_ref }) => action_ref)).toEqual([
      'tests.manual',
      'tests.noop',
    ]);
  });

  it('wait for the end of the workflow, and of its reruns', async () => {
    const system = await started();
    await system.workflow('gated', GATED);
    const { _id: id } = await system.request({ action: 'tests.gated' });
    const run = await firstRun(system);
    const { workflow_execution: workflow } = await system.executions.get(run.request.executionId);
    const refusal = {
      status: 400,
      message: `Unable to rerun workflow execution "${workflow}" because it is not in a completed state.`,
    };
    const rerun = () => system.executions.rerun(id, { tasks: ['gate'], user: 'ada' });
    await expect(rerun()).rejects.toMatchObject(refusal);
    run.end({ status: 'failed' });
    await system.untilStatus(id);
    const { _id: again } = await rerun();
    const [, second] = await system.manual.runs.until(2);
    await expect(rerun()).rejects.toMatchObject(refusal);
    second!.end();
    expect((await system.untilStatus(again)).status).toBe('succeeded');
    expect((await system.untilStatus((await rerun())._id, 'running')).status).toBe('running');
  });

  it('have to exist', async () => {
    const system = await started();
    const id = await failed(system);
    const count = await system.platform.store.executions.count({});
    await expect(
      system.executions.rerun(id, { tasks: ['gate', 'nowhere', 'after'], user: 'ada' }),
    ).rejects.toMatchObject({
      status: 400,
      message: 'Unable to rerun workflow because one or more tasks is not found: nowhere,after',
    });
    expect(await system.platform.store.executions.count({})).toBe(count);
  });
});

it('a workflow that a policy retries starts over', async () => {
  const system = await started();
  await system.workflow('two', TWO);
  const policy = { name: 'again', resource_ref: 'tests.two', policy_type: 'action.retry' };
  const parameters = { retry_on: 'failure', max_retry_count: 1 };
  await system.platform.store.policies.insert({ _id: newId(), ...checkPolicy({ ...policy, parameters }) });
  const { _id: id } = await system.request({ action: 'tests.two' });
  (await firstRun(system)).end({ status: 'failed' });
  const failed = await system.untilStatus(id);
  await system.executions.policies.afterEnd(failed);
  const [, again] = await system.manual.runs.until(2);
  const { parent, workflow_execution: run } = await system.executions.get(again!.request.executionId);
  const second = await system.untilStatus(parent!, 'running');
  expect(second.context).toMatchObject({ workflow_execution: run, policies: { retry: { retry_count: 1 } } });
  expect(run).not.toBe(failed.context['workflow_execution']);
  await system.executions.update(parent!, { status: 'pausing' }, 'bob');
  await system.untilHeard(parent!);
  again!.end();
  await system.untilStatus(parent!, 'paused');
  await system.executions.update(parent!, { status: 'resuming' }, 'bob');
  (await system.manual.runs.until(3))[2]!.end();
  expect((await system.untilStatus(parent!)).status).toBe('succeeded');
});

it('a workflow that calls itself ends with an error', async () => {
  const system = await started({ overrides: { workflow_engine: { max_depth: 4 } } });
  await system.workflow('self', 'version: 1.0\ntasks:\n  again:\n    action: tests.self\n');
  const { status, result } = await system.outcome('self');
  expect(status).toBe('failed');
  expect(JSON.stringify(result)).toContain(
    'The workflow would be nested 5 levels deep; workflow_engine.max_depth allows 4.',
  );
});

it('delays and retries are kept in the store', async () => {
  const system = await started();
  await system.workflow(
    'retried',
    'version: 1.0\ntasks:\n  hard:\n    action: tests.manual\n    delay: 1\n    retry:\n      count: 2\n      delay: 1\n',
  );
  const { _id: id } = await system.request({ action: 'tests.retried' });
  for (const number of [1, 2]) {
    const runs = await system.manual.runs.until(number);
    runs[number - 1]!.end({ status: 'failed' });
  }
  (await system.manual.runs.until(3))[2]!.end();
  expect((await system.untilStatus(id)).status).toBe('succeeded');
  for (const child of await system.children(id)) expect(child.delay).toBe(1000);
});
