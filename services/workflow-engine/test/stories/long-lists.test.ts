import { deferred } from '@switchyard/base';
import { isThere } from '@switchyard/storage';
import { eventually, leakCheck } from '@switchyard/testkit/system';
import { workflowIdOf } from '@switchyard/workflow-runs';
import { workflowSystem, type WorkflowSystem } from '../support/workflow-system';

const later = leakCheck();

const ITEMS = 2000;
const LIST = `version: 1.0\ntasks:\n  many:\n    with: <% range(${ITEMS}) %>\n    action: tests.noop\n`;
const SHORT = 'version: 1.0\ntasks:\n  one:\n    action: tests.noop\n';

const started = async (): Promise<WorkflowSystem> => {
  const system = await workflowSystem();
  later(() => system.close());
  await system.workflow('list', LIST);
  await system.workflow('short', SHORT);
  return system;
};

const untilRequested = (system: WorkflowSystem, list: string, count: number) =>
  eventually(
    async () => (await system.platform.store.executions.count({ parent: list })) >= count,
    () => `${count} items to be requested`,
  );

it('while a long list is requested, other workflows continue, and the engine can be replaced', async () => {
  const system = await started();
  const { _id: list } = await system.request({ action: 'tests.list' });
  await untilRequested(system, list, 1);
  expect(await system.outcome('short')).toMatchObject({ status: 'succeeded' });
  await system.engines[0]!.stop();
  const requested = await system.platform.store.executions.count({ parent: list });
  expect(requested).toBeLessThan(ITEMS);
  await system.addEngine();
  await untilRequested(system, list, requested + 1);
});

it('the ends of a long list whose turn takes long do not keep those of other workflows waiting', async () => {
  const COUNT = 700;
  const system = await started();
  await system.workflow('wide', LIST.replace(String(ITEMS), String(COUNT)));
  const { workflows } = system.platform.store;
  const { append } = workflows;
  const gate = deferred();
  const FREE_STEPS = 2;
  const held = new Set<string>();
  workflows.append = async (step) => {
    if (held.has(step.workflow) && step.revision > FREE_STEPS) await gate.promise;
    return append(step);
  };
  const { _id: list } = await system.request({ action: 'tests.wide' });
  held.add(workflowIdOf(list));
  // More have ended than the broker delivers at a time.
  const PREFETCH = 200;
  await eventually(
    async () => (await system.platform.store.executions.count({ parent: list, status: 'succeeded' })) > PREFETCH,
    () => 'the ends of the first items',
  );
  expect(await system.outcome('short')).toMatchObject({ status: 'succeeded' });
  expect((await system.executions.get(list)).status).toBe('running');
  gate.resolve();
  expect((await system.untilStatus(list)).status).toBe('succeeded');
  const due = { parent: list, due: isThere };
  await eventually(
    async () => (await system.platform.store.executions.count(due)) === 0,
    () => 'all ends to be settled',
  );
  expect(await system.platform.store.executions.count({ parent: list, status: 'succeeded' })).toBe(COUNT);
});
