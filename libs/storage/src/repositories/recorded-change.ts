import type { ExecutionRecord } from '@switchyard/model';
import type { RecordChange } from '../filter';
import type { Expectation } from './executions';

type Recognize = (record: ExecutionRecord) => ExecutionRecord | undefined;
type ExecutionChange = RecordChange<ExecutionRecord>;

/**
 * Recognizes whether a change has happened, from a later read of the record.
 *
 * 1. A move to another status is recognized by its log entry: a process does not move a record to the same status twice
 *    at the same time, unless the clock is set back, and hardly ever then. If it does, both count as having happened.
 * 2. A claim is recognized by its instance too, since two runners may claim an execution at the same microsecond. A
 *    claim that no longer exists counts as not made.
 * 3. The mark of a process is recognized by itself, while the claim of its runner holds.
 *
 * @returns undefined if the effect of such a change cannot be distinguished from others
 */
export function recordedChange(expected: Expectation, change: ExecutionChange): Recognize | undefined {
  const entry = change.push?.log ?? change.pushAll?.log?.at(-1);
  return entry ? recordedMove(entry, expected, change) : recordedProcess(expected, change);
}

function recordedMove(
  entry: ExecutionRecord['log'][number],
  { revision: before }: Expectation,
  { set = {}, inc = {} }: ExecutionChange,
): Recognize {
  const { claim } = set;
  return (record) => {
    const at = record.log.findLastIndex(
      ({ status, timestamp }) => status === entry.status && timestamp === entry.timestamp,
    );
    if (at < 0 || (claim && !isSameClaim(record.claim, claim))) return undefined;
    const later = record.log.length - 1 - at;
    const revision = before === undefined ? record.revision - later : before + (inc.revision ?? 0);
    return later === 0 ? record : { ...record, ...wholeFields(set), log: record.log.slice(0, at + 1), revision };
  };
}

function recordedProcess({ claim }: Expectation, { set = {} }: ExecutionChange): Recognize | undefined {
  const { process, ...others } = set;
  if (!claim || !process || Object.keys(others).length > 0) return undefined;
  return (record) => {
    const { pid, start_time: startTime, host } = record.process ?? {};
    const isSame = pid === process.pid && startTime === process.start_time && host === process.host;
    return isSame && isSameClaim(record.claim, claim) ? record : undefined;
  };
}

/** Whether two claims are the same, or there is none on both sides. */
export const isSameClaim = (one: Expectation['claim'], other: Expectation['claim']): boolean =>
  one?.instance === other?.instance && one?.number === other?.number;

/** What a change has set, without parts of fields. Later changes have kept those. */
const wholeFields = (set: NonNullable<ExecutionChange['set']>): Partial<ExecutionRecord> =>
  Object.fromEntries(Object.entries(set).filter(([path]) => !path.includes('.')));
