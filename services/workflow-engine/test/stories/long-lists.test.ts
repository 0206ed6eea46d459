import { eventually, leakCheck } from '@switchyard/testkit/system';
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
