import { isPlainObject } from '@switchyard/base';
import type { Execution } from './executions';

/** What an execution is within the workflow that started it. */
export interface TaskOfWorkflow {
  readonly name: string;
  /** Place in the list of a with-items task, from 0. */
  readonly item?: number;
  /** How many items the list has. */
  readonly itemsCount?: number;
  /** The run of the task: the same for all its items and attempts. */
  readonly run?: string;
}

const WORKFLOW_RUNNERS: ReadonlySet<string> = new Set(['orquesta', 'action-chain']);

/** Needs the attribute `action.runner_type`. */
export const isWorkflow = ({ action }: Pick<Execution, 'action'>): boolean =>
  WORKFLOW_RUNNERS.has(action.runner_type ?? '');

/** Needs the attributes `context.orquesta` and `context.chain`. @returns undefined for one that no workflow has started */
export function taskOf({ context = {} }: Pick<Execution, 'context'>): TaskOfWorkflow | undefined {
  const { orquesta, chain } = context;
  if (isPlainObject(orquesta) && typeof orquesta['task_name'] === 'string') {
    const { task_name: name, item_id: item, items_count: itemsCount, task_execution_id: run } = orquesta;
    return {
      name,
      ...(typeof item === 'number' ? { item } : {}),
      ...(typeof itemsCount === 'number' ? { itemsCount } : {}),
      ...(typeof run === 'string' ? { run } : {}),
    };
  }
  return isPlainObject(chain) && typeof chain['name'] === 'string' ? { name: chain['name'] } : undefined;
}
