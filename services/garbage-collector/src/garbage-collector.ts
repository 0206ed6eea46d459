import { messageOf, MS_MICROS, SECOND_MS } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { createInquiries, type Executions } from '@switchyard/executions';
import { createLeadership, createService, createTask, stopAll, type Service, type Task } from '@switchyard/host';
import type { Store } from '@switchyard/storage';
import { auditRetention, type AuditRetentionDeps } from './audit-retention';
import { createInquiryLimits, type InquiryLimits } from './inquiry-limits';
import { recordMigration } from './record-migration';
import { retention, type RetentionDeps } from './retention';

export interface GarbageCollectorDeps extends AuditRetentionDeps, Pick<RetentionDeps, 'environment'> {
  readonly config: Pick<Config, 'garbagecollector' | 'instances' | 'sweep'>;
  readonly store: Pick<Store, 'instances' | 'elections' | 'audit' | 'migrations'>;
  readonly executions: Pick<Executions, 'records' | 'removal' | 'results' | 'transition'>;
}

const SERVICE = 'garbage-collector';
/**
 * Open inquiries are read once in this many sweep intervals: in less than a minute, which is the unit of their limits.
 */
const SWEEPS = 15;
/** Waiting uses a monotonic clock, limits use a wall clock that may jump. This is how soon a jump is noticed. */
const RECHECK_MS = 10 * SECOND_MS;

/**
 * Times out unanswered inquiries, removes old records, and migrates those of earlier versions.
 *
 * 1. Any number of these services may run. Only the leader works; the others wait to be elected.
 * 2. Every change is a compare-and-set, so two services that take turns do not undo each other's work.
 * 3. One timer in memory is set for the inquiry that is due next; a slow sweep over all of them finds new ones.
 * 4. A failure with one inquiry does not affect the others.
 */
export function createGarbageCollector(deps: GarbageCollectorDeps): Service {
  const { config, executions, clock, logger } = deps;
  const { purge_inquiries: timesOut } = config.garbagecollector;
  const leadership = createLeadership({
    ...deps,
    service: SERVICE,
    onElected: wake,
    onDeposed: () => limits.clear(),
  });
  const limits = createInquiryLimits({
    records: executions.records,
    inquiries: createInquiries(executions),
    clock,
    logger,
    isHeld: leadership.isHeld,
  });
  const { reading, enforcing } = inquiryTasks(deps, limits, leadership.isHeld);
  const retentions = [retention(deps, leadership.isHeld), auditRetention(deps, leadership.isHeld)].filter(isTask);
  const migration = recordMigration(deps, leadership.isHeld);
  let migrates = false;
  let enabled = timesOut || retentions.length > 0;

  function wake(): void {
    if (timesOut) reading.wake();
    for (const task of retentions) task.wake();
    if (migrates) migration.wake();
  }

  async function stop(): Promise<void> {
    await stopAll([reading, enforcing, migration, ...retentions]);
    await leadership.stop();
  }

  return createService({
    name: SERVICE,
    async start() {
      if (!timesOut) logger.info('Inquiries never time out (garbagecollector.purge_inquiries is off).');
      migrates = await deps.store.migrations.isOpen();
      enabled ||= migrates;
      if (!enabled) return;
      await leadership.start();
      wake();
    },
    async stop() {
      if (enabled) await stop();
    },
    kill() {
      if (enabled) void stop().catch(() => undefined);
    },
    checks: () => ({ leadership: leadership.isHeld() ? 'held' : 'not held' }),
  });
}

const isTask = (task: Task | undefined): task is Task => task !== undefined;

/** One task reads the open inquiries; the other ends those whose time is over, and wakes for the next one. */
function inquiryTasks({ config, clock, logger }: GarbageCollectorDeps, limits: InquiryLimits, isLeader: () => boolean) {
  const onError = (error: unknown) => logger.error('Failed to read inquiries; retrying.', { error: messageOf(error) });
  const enforcing = createTask({
    clock,
    onError,
    async run() {
      if (!isLeader()) return;
      const next = await limits.enforce();
      if (next === undefined) return;
      enforcing.wakeIn(Math.min(RECHECK_MS, Math.max(0, (next - clock.nowMicros()) / MS_MICROS)));
    },
  });
  const reading = createTask({
    clock,
    everyMs: config.sweep.interval_ms * SWEEPS,
    onError,
    async run() {
      if (!isLeader()) return;
      await limits.read();
      enforcing.wake();
    },
  });
  return { reading, enforcing };
}
