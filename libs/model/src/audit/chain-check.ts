import type { AuditCheck, AuditHead, AuditRecord } from '../resources/audit';
import { auditHash, auditId } from './chain';

/** Checks an audit trail, record by record. */
export interface ChainCheck {
  /** Takes the records by writer and sequence. @returns false once a problem is found */
  take(record: AuditRecord): boolean;
  finish(): AuditCheck;
}

/**
 * Finds the first record that is missing or altered. The chain of a writer reveals altered and reordered records and
 * gaps; `heads` reveals that its end, or all of it, is missing. @param heads records that must exist, according to
 * checkpoints and running writers @param removed the last record of each writer that retention has removed. Earlier
 * ones that still exist may have gaps
 */
export function chainCheck(heads: Iterable<AuditHead>, removed: Iterable<AuditHead> = []): ChainCheck {
  const starts = newestHeads(removed);
  const isRemoved = ({ writer, sequence }: AuditHead) => sequence <= (starts.get(writer)?.sequence ?? 0);
  const { expected, conflict } = expectedHeads([...heads].filter((head) => !isRemoved(head)));
  let last: AuditHead = { writer: '', sequence: 0, hash: '' };
  let records = 0;
  let writers = 0;
  let bad = conflict && { id: auditId(conflict), problem: 'Two checkpoints disagree about it.' };
  return {
    take(record) {
      if (bad) return false;
      const { writer } = record;
      const isFirst = writer !== last.writer;
      const start = starts.get(writer) ?? { writer, sequence: 0, hash: '' };
      records += 1;
      if (isFirst) writers += 1;
      if (isRemoved(record)) {
        bad = leftoverProblem(record, start);
        last = start;
      } else {
        bad = problemOf(record, isFirst ? start : last) ?? contradiction(record, expected.get(record._id));
        expected.delete(record._id);
        last = record;
      }
      return bad === undefined;
    },
    finish() {
      const [missing] = [...expected.values()].sort((a, b) => (auditId(a) < auditId(b) ? -1 : 1));
      if (!bad && missing) bad = { id: auditId(missing), problem: 'It is missing, but a checkpoint names it.' };
      return { intact: !bad, records, writers, ...(bad ? { first_bad: bad.id, problem: bad.problem } : {}) };
    },
  };
}

/** The head of each writer with the highest sequence number, by writer. */
export function newestHeads(heads: Iterable<AuditHead>): Map<string, AuditHead> {
  const newest = new Map<string, AuditHead>();
  for (const head of heads) {
    if (head.sequence > (newest.get(head.writer)?.sequence ?? 0)) newest.set(head.writer, head);
  }
  return newest;
}

function expectedHeads(heads: readonly AuditHead[]): { expected: Map<string, AuditHead>; conflict?: AuditHead } {
  const expected = new Map<string, AuditHead>();
  for (const head of heads) {
    const known = expected.get(auditId(head));
    if (known && known.hash !== head.hash) return { expected, conflict: head };
    expected.set(auditId(head), head);
  }
  return { expected };
}

interface BadRecord {
  readonly id: string;
  readonly problem: string;
}

function problemOf(record: AuditRecord, { writer, sequence, hash }: AuditHead): BadRecord | undefined {
  const expected = { writer, sequence: sequence + 1 };
  if (record.sequence !== expected.sequence) return { id: auditId(expected), problem: 'It is missing.' };
  const altered = alteration(record);
  if (altered || record.previous === hash) return altered;
  return { id: record._id, problem: 'It does not follow the record before it.' };
}

/** The hash of a record that retention was about to remove. */
function leftoverProblem(record: AuditRecord, start: AuditHead): BadRecord | undefined {
  return alteration(record) ?? contradiction(record, record.sequence === start.sequence ? start : undefined);
}

const alteration = (record: AuditRecord): BadRecord | undefined =>
  record._id !== auditId(record) || auditHash(record) !== record.hash
    ? { id: record._id, problem: 'It was altered: its hash does not match its fields.' }
    : undefined;

const contradiction = (record: AuditRecord, named: AuditHead | undefined): BadRecord | undefined =>
  named && named.hash !== record.hash
    ? { id: record._id, problem: 'A checkpoint names it with another hash.' }
    : undefined;
