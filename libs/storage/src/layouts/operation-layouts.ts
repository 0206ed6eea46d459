import type { AuditRecord, InstanceRecord, KeyRotationRecord, RemovalRecord, RevisionRecord } from '@switchyard/model';
import type { Layout } from './layout';

export const instanceLayout: Layout<InstanceRecord> = {
  needed: ['service', 'host'],
  indexes: [{ fields: { service: 1 } }],
};

/** A fact about the store itself, such as its schema version. */
export interface MetaRecord {
  _id: string;
  value: unknown;
  /** Why the record cannot be read. */
  unreadable?: string;
}

export const metaLayout: Layout<MetaRecord> = {
  needed: [],
  indexes: [],
};

export const revisionLayout: Layout<RevisionRecord> = {
  needed: [],
  indexes: [],
};

export const keyRotationLayout: Layout<KeyRotationRecord> = {
  needed: ['stage', 'keys'],
  indexes: [],
};

export const removalLayout: Layout<RemovalRecord> = {
  needed: [],
  indexes: [],
};

export const auditLayout: Layout<AuditRecord> = {
  needed: ['writer', 'sequence', 'hash'],
  indexes: [{ fields: { writer: 1, sequence: 1 }, options: { unique: true } }, { fields: { time: -1 } }],
};
