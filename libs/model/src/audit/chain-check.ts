import type { AuditCheck, AuditHead, AuditRecord } from '../resources/audit';
import { auditHash, auditId } from './chain';

/** Checks an audit trail, record by record. */
export interface ChainCheck {
  /** Takes the records by writer and sequence. @returns false once a problem is found */
  take(record: AuditRecord): boolean;
  finish(): AuditCheck;
}

/**
 * Finds the first record that is missing or altered. The chain of a writer shows altered and reordered records and gaps. That its end, or
 * all of it, is missing shows in `heads`.
 * @param heads records that must exist, as checkpoints and running writers name them
 */
export function chainCheck(heads: Iterable<AuditHead>): ChainCheck {
  const expected = new Map<string, AuditHead>();
  const conflicts: AuditHead[] = [];
  for (const head of heads) {
    const known = expected.get(auditId(head));
    if (known && known.hash !== head.hash) conflicts.push(head);
    expected.set(auditId(head), head);
  }
  let last: AuditHead = { writer: '', sequence: 0, hash: '' };
  let records = 0;
  let writers = 0;
  let bad = conflicts[0] && { id: auditId(conflicts[0]), problem: 'Two checkpoints disagree about it.' };
  return {
    take(record) {
      if (bad) return false;
      const isFirst = record.writer !== last.writer;
      const before = isFirst ? { writer: record.writer, sequence: 0, hash: '' } : last;
      records += 1;
      if (isFirst) writers += 1;
      bad = problemOf(record, before) ?? contradiction(record, expected.get(record._id));
      expected.delete(record._id);
      last = record;
      return bad === undefined;
    },
    finish() {
      const [missing] = [...expected.values()].sort((a, b) => (auditId(a) < auditId(b) ? -1 : 1));
      if (!bad && missing) bad = { id: auditId(missing), problem: 'It is missing, but a checkpoint names it.' };
      return { intact: !bad, records, writers, ...(bad ? { first_bad: bad.id, problem: bad.problem } : {}) };
    },
  };
}

interface BadRecord {
  readonly id: string;
  readonly problem: string;
}

function problemOf(record: AuditRecord, { writer, sequence, hash }: AuditHead): BadRecord | undefined {
  const expected = { writer, sequence: sequence + 1 };
  if (record.sequence !== expected.sequence) return { id: auditId(expected), problem: 'It is missing.' };
  const altered = record._id !== auditId(expected) || auditHash(record) !== record.hash;
  if (altered) return { id: record._id, problem: 'It was altered: its hash does not match its fields.' };
  if (record.previous === hash) return undefined;
  return { id: record._id, problem: 'It does not follow the record before it.' };
}

const contradiction = (record: AuditRecord, named: AuditHead | undefined): BadRecord | undefined =>
  named && named.hash !== record.hash
    ? { id: record._id, problem: 'A checkpoint names it with another hash.' }
    : undefined;
