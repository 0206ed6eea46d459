import { isWorkflow, taskOf } from '../src';

test.each([
  [{}, undefined],
  [{ orquesta: { task_name: 'build', task_execution_id: 'r' } }, { name: 'build', run: 'r' }],
  [{ orquesta: { task_name: 'build', task_execution_id: 'r', item_id: 0 } }, { name: 'build', run: 'r', item: 0 }],
  [{ orquesta: { task_name: 'build', item_id: 1, items_count: 4 } }, { name: 'build', item: 1, itemsCount: 4 }],
  [{ chain: { name: 'one' } }, { name: 'one' }],
])('the task of an execution with the context %j is %j', (context, task) => {
  expect(taskOf({ context })).toEqual(task);
});

test.each([
  ['orquesta', true],
  ['action-chain', true],
  ['noop', false],
])('an execution of the runner %s is a workflow: %s', (runner_type, expected) => {
  expect(isWorkflow({ action: { ref: 'a.b', runner_type } })).toBe(expected);
});
