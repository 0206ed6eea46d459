import type { Transport } from '../transport/transport';
import type { Execution } from './executions';
import { readAll } from './list-query';
import { isWorkflow } from './task-of';

/** What is read of each: enough to draw a tree, never results, which may be large. */
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

/** Servers answer pages of this size to everybody. */
const PAGE = 100;
/** Ids go into an address, which must not get too long. */
const PARENTS_AT_A_TIME = 50;

/** See `Executions.descendants`. */
export async function readDescendants(transport: Transport, root: string, depth = -1): Promise<Execution[]> {
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

const childrenOf = (transport: Transport, parents: readonly string[]): Promise<Execution[]> =>
  readAll<Execution>(transport, ['executions'], {
    // The oldest first: those that come while pages are read do not move the others.
    filters: { parent: parents.join(','), sort_asc: 'True' },
    include: FAMILY_ATTRIBUTES,
    limit: PAGE,
  });

/** Each before its own children, siblings in the given order. */
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
