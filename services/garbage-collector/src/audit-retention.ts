import { DAY_MS, messageOf, MS_MICROS, SECOND_MS, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { createTask, type Task } from '@switchyard/host';
import { createAuditTrail, expireAuditRecords, type AuditTrail } from '@switchyard/identity';
import type { Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';

export interface AuditRetentionDeps {
  readonly config: Pick<Config, 'garbagecollector'>;
  readonly store: Pick<Store, 'audit'>;
  /** The trail of this process. Absent if `audit.enable` is off: old records are removed even then. */
  readonly audit?: AuditTrail;
  readonly clock: Clock;
  readonly logger: Logger;
}

const DAY_MICROS = DAY_MS * MS_MICROS;

/**
 * Removes audit records that are older than `garbagecollector.audit_ttl`. Removes whole days, so that there is one
 * record about it per day. @returns undefined if records are kept forever
 */
export function auditRetention(deps: AuditRetentionDeps, isLeader: () => boolean): Task | undefined {
  const { config, store, clock, logger } = deps;
  const { audit_ttl: days, collection_interval: seconds } = config.garbagecollector;
  if (days === null) return undefined;
  const trail = deps.audit ?? createAuditTrail(deps);
  let doneBefore: number | undefined;
  return createTask({
    clock,
    everyMs: seconds * SECOND_MS,
    onError: (error) => logger.error('Failed to remove old audit records; retrying.', { error: messageOf(error) }),
    async run() {
      const before = (Math.floor(clock.nowMicros() / DAY_MICROS) - days) * DAY_MICROS;
      if (!isLeader() || before === doneBefore) return;
      const removed = await expireAuditRecords({ store, trail, logger }, before);
      await trail.settled();
      doneBefore = before;
      if (removed > 0) logger.info('Removed old audit records.', { removed, days });
    },
  });
}
