import type { ExecutionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/**
 * The executions below one, without itself.
 * @param depth 1 for the direct children; everything below for 0 and negative numbers
 * @param flat all of them by their start, instead of each before its own children
 */
export async function descendants(
  { executions }: Pick<Store, 'executions'>,
  root: Pick<ExecutionRecord, '_id' | 'has_children'>,
  { depth, flat }: { depth: number; flat: boolean },
): Promise<ExecutionRecord[]> {
  const levels: ExecutionRecord[][] = [];
  let parents = root.has_children ? [root._id] : [];
  while (parents.length > 0 && (depth < 1 || levels.length < depth)) {
    const level = await executions.list({ filter: { parent: { $in: parents } } });
    levels.push(level);
    parents = level.filter((record) => record.has_children).map(({ _id }) => _id);
  }
  const all = levels.flat().sort((a, b) => a.start_timestamp - b.start_timestamp);
  return flat ? all : depthFirst(all, root._id);
}

function depthFirst(all: readonly ExecutionRecord[], root: string): ExecutionRecord[] {
  const byParent = new Map<string | undefined, ExecutionRecord[]>();
  for (const record of all) {
    const siblings = byParent.get(record.parent);
    if (siblings) siblings.push(record);
    else byParent.set(record.parent, [record]);
  }
  const ordered: ExecutionRecord[] = [];
  // A stack of its own: nesting is the users' choice.
  const waiting = (byParent.get(root) ?? []).toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    ordered.push(next);
    waiting.push(...(byParent.get(next._id) ?? []).toReversed());
  }
  return ordered;
}
