import { createHash } from 'node:crypto';
import type { AuditEntry, AuditHead, AuditRecord } from '../resources/audit';

/** The id of a record. Ids of one writer sort by sequence. */
export const auditId = ({ writer, sequence }: Pick<AuditHead, 'writer' | 'sequence'>): string =>
  `${writer}-${String(sequence).padStart(12, '0')}`;

/** Adds an entry to the chain of its writer. @param head the last record of the writer; sequence 0 and an empty hash before the first */
export function chainedRecord(head: AuditHead, time: number, entry: AuditEntry): AuditRecord {
  const place = { writer: head.writer, sequence: head.sequence + 1 };
  const record = { _id: auditId(place), time, ...entry, ...place, previous: head.hash };
  return { ...record, hash: auditHash(record) };
}

/** The hash of a record. It does not depend on the order of its fields, which a store may change. */
export function auditHash(record: Omit<AuditRecord, 'hash'>): string {
  const { hash: _, ...fields } = record as AuditRecord;
  return createHash('sha256').update(JSON.stringify(fields, ordered)).digest('hex');
}

/** Lists instead of objects, because their order is fixed. */
function ordered(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields.sort(([a], [b]) => (a < b ? -1 : 1));
}
