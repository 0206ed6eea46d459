import type { ExecutionRecord } from '@switchyard/model';
import { eventually, leakCheck } from '@switchyard/testkit/system';
import { allExecutions, expectCanceled, hasBegun, SELDOM, untilAllEnded } from './support/canceled-tree';
import { workflowSystem, type WorkflowSystem } from './support/workflow-system';

const later = leakCheck();

async function started(options = {}): Promise<WorkflowSystem> {
  // Without a runner, all actions wait.
  const system = await workflowSystem({ runners: [], ...options });
  later(() => system.close());
  return system;
}

const oneTask = (action: string, more = ''): string =>
  `version: 1.0\ntasks:\n  task:\n    action: tests.${action}\n${more}`;

const wasAsked = ({ log }: ExecutionRecord): boolean => log.some(({ status }) => status === 'canceling');

const stepsOf = async (system: WorkflowSystem, { context }: ExecutionRecord) =>
  (await system.platform.store.workflows.journal(String(context['workflow_execution']))).length;

const treeOf = async (system: WorkflowSystem, top: string): Promise<ExecutionRecord[]> =>
  (await allExecutions(system)).filter(({ _id, root }) => _id === top || root === top);

/** All records, once each of these actions has as many executions with a status. */
async function untilHas(system: WorkflowSystem, counts: Record<string, [ExecutionRecord['status'], number]>) {
  await eventually(
    async () => {
      const records = await allExecutions(system);
      // The engines have received all of it.
      if (records.some(({ due }) => due?.includes('workflow-engine'))) return false;
      return Object.entries(counts).every(
        ([ref, [status, count]]) =>
          records.filter((record) => record.action_ref === `tests.${ref}` && record.status === status).length === count,
      );
    },
    () => JSON.stringify(counts),
  );
  return allExecutions(system);
}

describe('workflows of a canceled tree of which nothing is at work', () => {
  it.each([
    ['one engine', 1],
    ['two engines', 2],
  ])('end without being asked and with the result of a canceled workflow: %s', async (_, engines) => {
    const system = await started({ overrides: SELDOM, engines });
    await system.workflow('inner', oneTask('manual'));
    await system.workflow(
      'middle',
      'version: 1.0\ntasks:\n  many:\n    with: <% range(3) %>\n    action: tests.inner\n',
    );
    await system.workflow('outer', oneTask('middle'));
    const { _id: id } = await system.request({ action: 'tests.outer' });
    const before = (await untilHas(system, { inner: ['running', 3], manual: ['requested', 3] })).filter(
      ({ root }) => root === id,
    );
    const steps = new Map<string, number>();
    for (const record of before.filter(hasBegun)) steps.set(record._id, await stepsOf(system, record));
    await system.executions.cancel(id, 'bob');
    await system.untilStatus(id);
    const tree = await treeOf(system, id);
    expectCanceled(tree);
    expect(tree).toHaveLength(8);
    const below = tree.filter(({ _id }) => _id !== id);
    expect(below.filter(wasAsked)).toEqual([]);
    for (const record of below.filter(hasBegun)) {
      // A step without changes keeps the other engine from continuing.
      expect((await stepsOf(system, record)) - steps.get(record._id)!).toBeLessThan(engines);
      expect((await system.shown(record)).result).toEqual({ output: null });
    }
    await untilAllEnded(system);
  });

  it('are asked as before if they have an open inquiry, an output or clean-up tasks', async () => {
    const system = await started({ runners: [{ slots: 1 }] });
    await system.register({ name: 'ask', runner_type: 'inquirer' });
    const waits = '    delay: 600\n';
    await system.workflow('asking', oneTask('ask'));
    await system.workflow('telling', oneTask('manual', `${waits}output:\n  - word: told\n`));
    await system.workflow(
      'closing',
      `${oneTask('manual', `${waits}  undo:\n    action: tests.noop\n`)}finally: [undo]\n`,
    );
    await system.workflow('plain', oneTask('manual', waits));
    const kinds = ['asking', 'telling', 'closing', 'plain'];
    await system.workflow(
      'outer',
      `version: 1.0\ntasks:\n${kinds.map((kind) => `  ${kind}:\n    action: tests.${kind}\n`).join('')}`,
    );
    const { _id: id } = await system.request({ action: 'tests.outer' });
    await untilHas(system, { ask: ['pending', 1], manual: ['delayed', 3] });
    await system.executions.cancel(id, 'bob');
    await untilAllEnded(system);
    const records = await allExecutions(system);
    const asked = records.filter(wasAsked).map(({ action_ref: ref }) => ref);
    expect(asked.sort()).toEqual(['tests.asking', 'tests.closing', 'tests.outer', 'tests.telling']);
    const told = records.find(({ action_ref: ref }) => ref === 'tests.telling')!;
    expect((await system.shown(told)).result).toEqual({ output: { word: 'told' } });
    expect(records.find(({ action_ref: ref }) => ref === 'tests.noop')).toMatchObject({ status: 'succeeded' });
    expectCanceled(await treeOf(system, id));
  });

  it('end around waits of every kind, with several schedulers and engines', async () => {
    const system = await started({ runners: [{ slots: 12 }], schedulers: 2, engines: 2 });
    await system.register({ name: 'ask', runner_type: 'inquirer' });
    await system.register({ name: 'failing', runner_type: 'local-shell-cmd' });
    const kinds: Record<string, string> = {
      asking: oneTask('ask'),
      delayed: oneTask('manual', '    delay: 600\n'),
      listing: oneTask('manual', '    with:\n      items: <% range(30) %>\n      concurrency: 3\n'),
      retrying: oneTask('failing', '    input:\n      cmd: exit 1\n    retry:\n      count: 2\n      delay: 600\n'),
      paused: oneTask('manual'),
    };
    for (const [name, text] of Object.entries(kinds)) await system.workflow(name, text);
    await system.workflow(
      'outer',
      `version: 1.0\ntasks:\n${Object.keys(kinds)
        .map((kind) => `  ${kind}:\n    with: <% range(2) %>\n    action: tests.${kind}\n`)
        .join('')}`,
    );
    const { _id: id } = await system.request({ action: 'tests.outer' });
    const records = await untilHas(system, { ask: ['pending', 2], failing: ['delayed', 2], paused: ['running', 2] });
    for (const record of records.filter(({ action_ref: ref }) => ref === 'tests.paused'))
      await system.executions.update(record._id, { status: 'pausing' }, 'bob');
    await system.executions.cancel(id, 'bob');
    await untilAllEnded(system);
    const tree = (await allExecutions(system)).filter(({ status }) => status !== 'failed');
    expectCanceled(tree);
    expect(new Set(tree.map(({ action_ref: ref }) => ref)).size).toBe(9);
  });

  it('end later if they change in between', async () => {
    const system = await started();
    await system.workflow('inner', oneTask('manual'));
    await system.workflow(
      'outer',
      'version: 1.0\ntasks:\n  many:\n    with: <% range(3) %>\n    action: tests.inner\n',
    );
    const { _id: id } = await system.request({ action: 'tests.outer' });
    const [changing] = (await untilHas(system, { inner: ['running', 3], manual: ['requested', 3] })).filter(
      ({ action_ref: ref }) => ref === 'tests.inner',
    );
    const { executions } = system.platform.store;
    const { changeEach } = executions;
    let isFirst = true;
    executions.changeEach = async (changes) => {
      if (isFirst && changes.some(({ ids }) => ids.includes(changing!._id))) {
        isFirst = false;
        await system.executions.update(changing!._id, { status: 'pausing' }, 'bob');
      }
      return changeEach(changes);
    };
    await system.executions.cancel(id, 'bob');
    await system.untilStatus(id);
    expect(isFirst).toBe(false);
    await untilAllEnded(system);
    expectCanceled(await treeOf(system, id));
  });

  it('do not request what their turn was about to, if they have ended meanwhile', async () => {
    const system = await started({ overrides: SELDOM });
    await system.workflow(
      'inner',
      'version: 1.0\ntasks:\n  one:\n    action: tests.manual\n    next:\n      - do: two\n  two:\n    action: tests.noop\n',
    );
    await system.workflow('outer', oneTask('inner'));
    const { _id: id } = await system.request({ action: 'tests.outer' });
    const records = await untilHas(system, { inner: ['running', 1], manual: ['requested', 1] });
    const inner = records.find(({ action_ref: ref }) => ref === 'tests.inner')!;
    const { executions } = system.platform.store;
    const { changeEach } = executions;
    const task = records.find(({ parent }) => parent === inner._id)!;
    // It has succeeded, and the message about it is late.
    await executions.change(
      task._id,
      {},
      {
        set: { status: 'succeeded', end_timestamp: 1, due: ['workflow-engine'], due_at: Date.now() * 1000 },
        push: { log: { status: 'succeeded', timestamp: 1 } },
        inc: { revision: 1 },
      },
    );
    executions.changeEach = async (changes) => {
      const count = await changeEach(changes);
      if (!changes.some(({ ids }) => ids.includes(inner._id))) return count;
      executions.changeEach = changeEach;
      // It arrives before the run is dropped from memory.
      system.executions.announce.remind((await executions.get(task._id))!);
      await eventually(
        async () => (await executions.get(task._id))!.due === undefined,
        () => 'the engine to receive the message',
      );
      return count;
    };
    await system.executions.cancel(id, 'bob');
    await system.untilStatus(id);
    await untilAllEnded(system);
    expect(await system.children(inner._id)).toHaveLength(1);
    expect(await system.platform.store.workflows.get(String(inner.context['workflow_execution']))).not.toHaveProperty(
      'open',
    );
  });

  it('show their tasks as canceled, and can run them again', async () => {
    const system = await started();
    await system.workflow('inner', oneTask('manual'));
    await system.workflow('outer', oneTask('inner'));
    const { _id: id } = await system.request({ action: 'tests.outer' });
    const records = await untilHas(system, { inner: ['running', 1], manual: ['requested', 1] });
    const { _id: inner } = records.find(({ action_ref: ref }) => ref === 'tests.inner')!;
    await system.executions.cancel(id, 'bob');
    await system.untilStatus(id);
    const record = await system.executions.get(inner);
    expect(wasAsked(record)).toBe(false);
    const { nodes } = await system.executions.workflows.graph(record);
    expect(nodes).toMatchObject([
      { status: 'canceled', runs: [{ status: 'canceled', end_timestamp: expect.any(String) }] },
    ]);
    const { _id: again } = await system.executions.rerun(inner, { tasks: ['task'], user: 'ada' });
    await system.addRunner();
    const [run] = await system.manual.runs.until(1);
    run!.end();
    expect((await system.untilStatus(again)).status).toBe('succeeded');
  });

  it('are left to the engine that continues the cancellation after a death, and end in bulk as well', async () => {
    const system = await started({
      engines: 1,
      overrides: { instances: { heartbeat_ms: 100, lease_ms: 1000 }, sweep: { interval_ms: 100, older_than_ms: 200 } },
    });
    const many = (count: number, action: string) =>
      `version: 1.0\ntasks:\n  many:\n    with: <% range(${count}) %>\n    action: tests.${action}\n`;
    await system.workflow('inner', oneTask('manual'));
    await system.workflow('middle', many(12, 'inner'));
    await system.workflow('outer', many(6, 'middle'));
    const { _id: id } = await system.request({ action: 'tests.outer' });
    await untilHas(system, { inner: ['running', 72], manual: ['requested', 72] });
    const { executions } = system.platform.store;
    const { changeEach } = executions;
    let calls = 0;
    executions.changeEach = async (changes) => {
      calls += 1;
      if (calls > 2) throw new Error('the store is unavailable');
      return changeEach(changes);
    };
    await system.executions.cancel(id, 'bob');
    await eventually(
      () => calls > 2,
      () => 'a failure in the middle',
    );
    await system.engines[0]!.kill();
    executions.changeEach = changeEach;
    const open = (await allExecutions(system)).filter(({ status }) => status === 'running');
    await system.addEngine();
    await untilAllEnded(system);
    const records = await allExecutions(system);
    expectCanceled(records);
    const ids = new Set(open.map(({ _id }) => _id));
    expect(open.length).toBeGreaterThan(20);
    expect(records.filter((record) => ids.has(record._id) && wasAsked(record)).length).toBeLessThan(open.length / 2);
  });
});
