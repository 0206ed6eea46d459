import type { HostFunction } from '../evaluate/scope';
import { contextFunction } from './context-function';
import { currentTaskFunctions } from './current-task-functions';
import { datastoreFunction } from './datastore-function';
import { itemFunction } from './item-function';
import { PURE_FUNCTIONS } from './pure-functions';
import { taskFunctions } from './task-functions';
import type { WorkflowView } from './workflow-view';

/**
 * All functions of workflow expressions by name: those that read the workflow through its view, and the pure ones.
 * The view is read when an expression calls a function, so one map may serve all expressions of one state.
 */
export function workflowFunctions(view: WorkflowView): ReadonlyMap<string, HostFunction> {
  const datastore = datastoreFunction(view);
  return new Map<string, HostFunction>([
    ...PURE_FUNCTIONS,
    ['ctx', contextFunction(view)],
    ['item', itemFunction(view)],
    ...currentTaskFunctions(view),
    ...taskFunctions(view),
    ['st2kv', datastore],
    ['svckv', datastore],
  ]);
}
