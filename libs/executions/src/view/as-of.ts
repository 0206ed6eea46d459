import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';

/**
 * The record as it was when it entered a status, for readers of messages that come after the record has moved on:
 * the log ends there, and what belongs to the end is not known yet.
 */
export function asOf(record: ExecutionRecord, status: Status, revision: number): ExecutionRecord {
  if (record.revision <= revision) return record;
  // Each entry came with a revision of its own, so those of later stays in the same status are left out.
  const at = record.log.slice(0, revision).findLastIndex((entry) => entry.status === status);
  return at < 0 ? { ...withoutLater(record, status), status } : atLogEntry(record, at);
}

/** The record as it was when an entry was added to its log. @param index of the entry */
export function atLogEntry(record: ExecutionRecord, index: number): ExecutionRecord {
  const { status } = record.log[index]!;
  const { has_children, ...before } = withoutLater(record, status);
  // A workflow requests its first action after it has entered `running`.
  const mayHaveChildren = record.log.slice(0, index).some((entry) => entry.status === 'running');
  const children = mayHaveChildren && has_children !== undefined ? { has_children } : {};
  return { ...before, ...children, status, log: record.log.slice(0, index + 1) };
}

function withoutLater(record: ExecutionRecord, status: Status): ExecutionRecord {
  if (isTerminal(status)) return record;
  const {
    end_timestamp: _end,
    result: _result,
    result_blob: _blob,
    result_size: _size,
    sealed_result: _sealed,
    ...rest
  } = record;
  return rest;
}
