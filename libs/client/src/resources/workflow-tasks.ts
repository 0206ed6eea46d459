import { isPlainObject } from '@switchyard/base';
import type { Execution } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { readAll } from './records';

/** The task that an execution belongs to, in the workflow that started it. */
export interface TaskOfWorkflow {
  readonly name: string;
  /** Index in the list of a with-items task, from 0. */
  readonly item?: number;
  /** How many items the list has. */
  readonly itemsCount?: number;
  /** Id of the task run, shared by all its items and attempts. */
  readonly run?: string;
}

const WORKFLOW_RUNNERS: ReadonlySet<string> = new Set(['orquesta', 'action-chain']);

/** Needs the attribute `action.runner_type`. */
export const isWorkflow = ({ action }: Pick<Execution, 'action'>): boolean =>
  WORKFLOW_RUNNERS.has(action.runner_type ?? '');

/** Needs the attributes `context.orquesta` and `context.chain`. @returns undefined if no workflow started the execution */
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

/** Enough to draw a tree, but no results, which may be large. */
export const FAMILY_ATTRIBUTES: readonly string[] = [
  'id',
  'status',
  'action.ref',
  'action.runner_type',
  'start_timestamp',
  'end_timestamp',
  'parent',
  'context.orquesta',
  'context.chain.name',
];

/** Servers return pages of this size to every user. */
const PAGE = 100;
/** The ids are part of the address, which must not get too long. */
const PARENTS_AT_A_TIME = 50;

/** See `ExecutionsResource.descendants`. */
export async function readDescendants(transport: ApiTransport, root: string, depth = -1): Promise<Execution[]> {
  const all: Execution[] = [];
  let parents = [root];
  for (let level = 0; parents.length > 0 && (depth < 1 || level < depth); level++) {
    const found: Execution[] = [];
    for (let at = 0; at < parents.length; at += PARENTS_AT_A_TIME)
      found.push(...(await childrenOf(transport, parents.slice(at, at + PARENTS_AT_A_TIME))));
    all.push(...found);
    parents = found.filter(isWorkflow).map(({ id }) => id);
  }
  return depthFirst(root, all);
}

const childrenOf = (transport: ApiTransport, parents: readonly string[]): Promise<Execution[]> =>
  readAll<Execution>(transport, ['executions'], {
    // Oldest first: executions that start while pages are read do not shift the others.
    filters: { parent: parents.join(','), sort_asc: 'True' },
    include: FAMILY_ATTRIBUTES,
    limit: PAGE,
  });

/** Each execution before its own children, siblings in the given order. */
function depthFirst(root: string, all: readonly Execution[]): Execution[] {
  const byParent = new Map<string | undefined, Execution[]>();
  for (const each of all) {
    const siblings = byParent.get(each.parent);
    if (siblings) siblings.push(each);
    else byParent.set(each.parent, [each]);
  }
  const ordered: Execution[] = [];
  const waiting = (byParent.get(root) ?? []).toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    ordered.push(next);
    waiting.push(...(byParent.get(next.id) ?? []).toReversed());
  }
  return ordered;
}
