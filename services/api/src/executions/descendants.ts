import type { ExecutionRecords } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';
import { isOneOf } from '@switchyard/storage';
import type { Listable } from '../lists/list-records';

type Node = Pick<ExecutionRecord, '_id' | 'parent' | 'start_timestamp' | 'has_children'>;

const NODE = ['parent', 'start_timestamp', 'has_children'] as const;
/** Number of records read with one call. */
const TOGETHER = 20;

/**
 * Yields the executions below one, without itself. Only their order is kept in memory.
 * @param depth 1 for the direct children; 0 or less for all levels
 * @param flat orders all of them by start time; otherwise each comes before its own children
 */
export async function listDescendants(
  records: Pick<ExecutionRecords, 'list'>,
  root: Pick<ExecutionRecord, '_id' | 'has_children'>,
  { depth, flat }: { depth: number; flat: boolean },
): Promise<Listable<ExecutionRecord>> {
  const levels: Node[][] = [];
  let parents = root.has_children ? [root._id] : [];
  while (parents.length > 0 && (depth < 1 || levels.length < depth)) {
    const level: Node[] = await records.list({ filter: { parent: isOneOf(parents) }, fields: NODE });
    levels.push(level);
    parents = level.filter((record) => record.has_children).map(({ _id }) => _id);
  }
  const all = levels.flat().sort((a, b) => a.start_timestamp - b.start_timestamp);
  const ids = (flat ? all : depthFirst(all, root._id)).map(({ _id }) => _id);
  return { each: () => inOrder(records, ids), count: async () => ids.length };
}

async function* inOrder(
  records: Pick<ExecutionRecords, 'list'>,
  ids: readonly string[],
): AsyncGenerator<ExecutionRecord> {
  for (let from = 0; from < ids.length; from += TOGETHER) {
    const wanted = ids.slice(from, from + TOGETHER);
    const found = await records.list({ filter: { _id: isOneOf(wanted) } });
    const byId = new Map(found.map((record) => [record._id, record]));
    for (const id of wanted) {
      const record = byId.get(id);
      if (record) yield record;
    }
  }
}

function depthFirst(all: readonly Node[], root: string): Node[] {
  const byParent = new Map<string | undefined, Node[]>();
  for (const record of all) {
    const siblings = byParent.get(record.parent);
    if (siblings) siblings.push(record);
    else byParent.set(record.parent, [record]);
  }
  const ordered: Node[] = [];
  // An explicit stack, because users decide how deep executions nest.
  const waiting = (byParent.get(root) ?? []).toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    ordered.push(next);
    for (const child of (byParent.get(next._id) ?? []).toReversed()) waiting.push(child);
  }
  return ordered;
}
