import type { Claim, ExecutionRecord } from '@switchyard/model';
import type { RecordChange } from '../filter';
import type { Expectation } from './executions';

/**
 * Recognizes a move to another status in a record that was read afterwards, by its log entry: times in records never repeat within a process.
 * A claim is recognized by its instance too, since two runners may claim an execution at the same microsecond; a claim that is gone again was
 * of no use.
 * @returns undefined for a change that is not a move
 */
export function recordedMove(
  { revision }: Expectation,
  { push, set = {} }: RecordChange<ExecutionRecord>,
): ((record: ExecutionRecord) => ExecutionRecord | undefined) | undefined {
  const entry = push?.log;
  if (!entry) return undefined;
  const claim = set.claim as Claim | undefined;
  return (record) => {
    const at = record.log.findLastIndex(
      ({ status, timestamp }) => status === entry.status && timestamp === entry.timestamp,
    );
    if (at < 0 || (claim && !isSameClaim(record.claim, claim))) return undefined;
    const later = record.log.length - 1 - at;
    return later === 0 ? record : asMoved(record, set, { at, revision: revision ?? record.revision - 1 - later });
  };
}

const isSameClaim = (one: Claim | undefined, other: Claim): boolean =>
  one?.instance === other.instance && one.number === other.number;

/** The record as it was after the move, when it has moved on before it was read. @param before the index of the log entry, and the revision before the move */
function asMoved(
  record: ExecutionRecord,
  set: NonNullable<RecordChange<ExecutionRecord>['set']>,
  before: { readonly at: number; readonly revision: number },
): ExecutionRecord {
  const whole = Object.entries(set).filter(([path]) => !path.includes('.'));
  return {
    ...record,
    ...(Object.fromEntries(whole) as Partial<ExecutionRecord>),
    log: record.log.slice(0, before.at + 1),
    revision: before.revision + 1,
  };
}
