import { createAuditTrail, type AuditTrail } from '@switchyard/identity';
import { part } from './assembly';

/** The audit trail of the process, unless `audit.enable` is off. */
export const auditOf = part(({ platform }): { readonly audit?: AuditTrail } =>
  platform.config.audit.enable ? { audit: createAuditTrail(platform) } : {},
);
