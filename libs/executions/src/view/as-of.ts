import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';

/**
 * The record as it was when it entered a status, for readers of messages that come after the record has moved on:
 * the log ends there, and what belongs to the end is not known yet.
 */
export function asOf(record: ExecutionRecord, status: Status, revision: number): ExecutionRecord {
  if (record.revision <= revision) return record;
  // Each entry came with a revision of its own, so those of later stays in the same status are left out.
  const at = record.log.slice(0, revision).findLastIndex((entry) => entry.status === status);
  const { end_timestamp, result, result_blob, result_size, sealed_result, ...rest } = record;
  const end = isTerminal(status) ? { end_timestamp, result, result_blob, result_size, sealed_result } : {};
  const known = Object.fromEntries(Object.entries(end).filter(([, value]) => value !== undefined));
  return { ...rest, ...known, status, log: at < 0 ? record.log : record.log.slice(0, at + 1) };
}
