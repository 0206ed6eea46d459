import type { ExecutionRecord } from '@switchyard/model';
import type { StoreCollections } from '../collections';
import { above } from '../filter';
import type { MigratedBatch } from './migration';

/** Executions may be large, and the embedded store decodes them on the main thread. */
const BATCH = 50;
/** More than any tree is deep. */
const MOST_ANCESTORS = 1000;

type Relative = Pick<ExecutionRecord, '_id' | 'parent' | 'root' | 'workflow_execution'>;
const FIELDS = ['_id', 'parent', 'root', 'workflow_execution'] as const;

/**
 * Fills `root` in the next tasks of workflows that lack it. Without it, a cancellation does not find the workflows of a tree
 * in one query, and old records are removed without regard to the outermost workflow. Tasks whose parent was removed stay as they are.
 */
export async function fillTaskRoots({ executions }: StoreCollections, after: string): Promise<MigratedBatch> {
  const records: Relative[] = await executions.list({
    filter: { _id: above(after) },
    sort: { _id: 1 },
    fields: FIELDS,
    limit: BATCH,
    once: true,
  });
  const known = new Map<string, Relative | undefined>();
  const relative = async (id: string) => {
    if (!known.has(id)) known.set(id, await executions.findOne({ _id: id }, FIELDS));
    return known.get(id);
  };
  const found: { id: string; root: string }[] = [];
  for (const record of records) {
    if (record.workflow_execution === undefined || record.root !== undefined) continue;
    const root = await rootOf(record, relative);
    if (root !== undefined) found.push({ id: record._id, root });
  }
  const changed = await executions.changeEach(
    found.map(({ id, root }) => ({ filter: { _id: id, root: null }, change: { set: { root } } })),
  );
  return { last: records.length < BATCH ? undefined : records.at(-1)?._id, changed };
}

async function rootOf(task: Relative, relative: (id: string) => Promise<Relative | undefined>) {
  let root: string | undefined;
  let at: Relative | undefined = task;
  for (let depth = 0; depth < MOST_ANCESTORS && at?.parent !== undefined; depth++) {
    if (at !== task && at.root !== undefined) return at.root;
    // The execution of a workflow that is not a task itself.
    if (at.workflow_execution === undefined) return root;
    at = await relative(at.parent);
    root = at?._id ?? root;
  }
  return root;
}
