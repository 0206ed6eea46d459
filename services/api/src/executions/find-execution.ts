import { fault } from '@switchyard/base';
import type { ExecutionRecords } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';
import type { RecordPath } from '@switchyard/storage';

const LAST = 'last';

/**
 * Finds an execution by id, or the newest one by the word `last`.
 * @param fields stored fields to read; all when absent
 * @throws Fault `execution.not-found`, `execution.none`
 */
export async function findExecution(
  records: Pick<ExecutionRecords, 'get' | 'list'>,
  id: string,
  fields?: readonly RecordPath<ExecutionRecord>[],
): Promise<ExecutionRecord> {
  if (!fields && id !== LAST) return found(await records.get(id), id);
  const parts = fields ? { fields } : {};
  if (id !== LAST) return found((await records.list({ filter: { _id: id }, limit: 1, ...parts }))[0], id);
  const [newest] = await records.list({ sort: { start_timestamp: -1 }, limit: 1, ...parts });
  if (!newest) throw fault('execution.none');
  return newest;
}

function found(record: ExecutionRecord | undefined, id: string): ExecutionRecord {
  if (!record) throw fault('execution.not-found', { id });
  return record;
}
