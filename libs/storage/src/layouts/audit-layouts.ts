import type { AuditRecord } from '@switchyard/model';
import type { Layout } from './layout';

export const auditLayout: Layout<AuditRecord> = {
  needed: ['writer', 'sequence', 'hash'],
  indexes: [{ fields: { writer: 1, sequence: 1 }, options: { unique: true } }, { fields: { time: -1 } }],
};
