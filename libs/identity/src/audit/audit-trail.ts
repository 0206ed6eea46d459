import { earliestId, MINUTE_MS, MS_MICROS, type Clock } from '@switchyard/base';
import type { AuditEntry, AuditHead } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import { chainWriter, auditHeadOf } from './chain-writer';

/** Records who did what. */
export interface AuditTrail {
  /** Resolves once the record is stored, or once that has failed and is logged. It never rejects. */
  record(entry: AuditEntry): Promise<void>;
  /** The same for an entry of the system itself. @returns whether it is stored */
  recordOwn(entry: AuditEntry): Promise<boolean>;
  /** The last record of this process that is in the store. */
  head(): AuditHead | undefined;
  /** Resolves when the checkpoint in progress, if any, is stored. */
  settled(): Promise<void>;
}

export interface AuditTrailDependencies {
  readonly store: Pick<Store, 'audit'>;
  readonly clock: Pick<Clock, 'nowMicros'>;
  readonly logger: Pick<Logger, 'audit' | 'error' | 'warn'>;
  readonly metrics?: Pick<Metrics, 'count'>;
}

/**
 * The audit trail of one process.
 *
 * 1. Every process has its own chain, with a new id after each start. So processes do not wait for each other.
 * 2. One write is in progress at a time. Entries that arrive in the meantime share the next one.
 * 3. A batch that could not be written is tried again with the next entry, before it. Its sequence numbers stay the same, so
 *    a record that was stored although the write failed does not appear twice.
 * 4. An entry that is not recorded is counted in the next record that is.
 * 5. With its first record, and then after `CHECKPOINT_RECORDS` records or `CHECKPOINT_MS`, a process records the last
 *    records of the others. This makes it possible to detect that a whole chain or its end is missing.
 */
export function createAuditTrail(deps: AuditTrailDependencies): AuditTrail {
  const { store, clock, logger, metrics } = deps;
  const counted = failedLogins(metrics);
  const unknown = budget(UNKNOWN_PER_MINUTE, clock);
  const writing = chainWriter(deps);
  let checkpoint: Promise<void> = Promise.resolve();
  let nextCheckpoint = { atMicros: 0, atSequence: 0 };
  const others = otherChains(store, () => writing.last()?.writer);

  async function addCheckpoint(): Promise<void> {
    try {
      const startedMs = clock.nowMicros() / MS_MICROS;
      const heads = await others.heads();
      if (await writing.add({ ...CHECKPOINT, heads })) others.named(heads, startedMs);
    } catch (error) {
      logger.warn('Could not add a checkpoint to the audit trail; the next one will cover it.', { error });
    }
  }

  function checkpointIfDue(): void {
    const now = clock.nowMicros();
    const sequence = writing.last()?.sequence ?? 0;
    if (now < nextCheckpoint.atMicros && sequence < nextCheckpoint.atSequence) return;
    nextCheckpoint = { atMicros: now + CHECKPOINT_MS * MS_MICROS, atSequence: sequence + CHECKPOINT_RECORDS };
    checkpoint = checkpoint.then(addCheckpoint);
  }

  return {
    head: writing.stored,
    settled: () => checkpoint,
    recordOwn(entry) {
      checkpointIfDue();
      return writing.add(entry);
    },
    async record(entry) {
      if (entry.kind === 'login' && entry.outcome !== 'succeeded') counted(entry);
      // Clients without credentials could fill the store.
      if (entry.authenticated_by === 'none' && entry.outcome === 'refused' && !unknown.take()) return writing.omit();
      checkpointIfDue();
      await writing.add(entry);
    },
  };
}

const CHECKPOINT_RECORDS = 1000;
const CHECKPOINT_MS = 5 * MINUTE_MS;
const UNKNOWN_PER_MINUTE = 600;

const CHECKPOINT = systemEntry('checkpoint', '');

/** An entry about the trail itself, which nobody has requested. */
export function systemEntry(kind: 'checkpoint' | 'retention', resource: string): AuditEntry {
  return {
    ...{ kind, user: '', authenticated_by: 'none', address: '', operation: `audit.${kind}` },
    ...{ resource_type: 'audit', resource, outcome: 'succeeded', status: 0, request_id: '', changed: [] },
  };
}

/** Clocks of processes differ, and a record is stored later than its time. */
const OVERLAP_MS = 10 * MINUTE_MS;

/**
 * The chains of other processes, which may have millions of records. Those that are known are looked up by the id of their next record, and
 * new ones by their writers' ids, which begin with a time.
 * @param own the writer of this process, once it has written
 */
function otherChains({ audit }: AuditTrailDependencies['store'], own: () => string | undefined) {
  const known = new Map<string, AuditHead>();
  let beganFrom = '';
  return {
    /** The last records of the chains that are new or have grown since the last ones that were named. */
    async heads(): Promise<AuditHead[]> {
      const found = await audit.headsAfter([...known.values()]);
      for await (const { last } of audit.ends(beganFrom)) if (!known.has(last.writer)) found.push(auditHeadOf(last));
      // It may have begun meanwhile.
      return found.filter(({ writer }) => writer !== own());
    },
    named(heads: readonly AuditHead[], atMs: number): void {
      for (const head of heads) known.set(head.writer, head);
      beganFrom = earliestId(atMs - OVERLAP_MS);
    },
  };
}

/** At most this many per minute. */
function budget(perMinute: number, clock: Pick<Clock, 'nowMicros'>): { take(): boolean } {
  let minute = 0;
  let taken = 0;
  return {
    take() {
      const now = Math.floor(clock.nowMicros() / (MINUTE_MS * MS_MICROS));
      if (now !== minute) taken = 0;
      minute = now;
      taken += 1;
      return taken <= perMinute;
    },
  };
}

/** Counts failed logins by user and by address. Clients choose both, so only the first ones get labels of their own. */
function failedLogins(
  metrics: Pick<Metrics, 'count'> | undefined,
): (entry: Pick<AuditEntry, 'user' | 'address'>) => void {
  const userLabel = firstLabels(MOST_LABELS);
  const addressLabel = firstLabels(MOST_LABELS);
  return ({ user, address }) => {
    metrics?.count('login_failures_by_user', { user: userLabel(user === '' ? NOBODY : user) });
    metrics?.count('login_failures_by_address', { address: addressLabel(address) });
  };
}

const MOST_LABELS = 100;
const REST = '(other)';
/** For single sign-on and proxies, where a failed login has no user name. */
const NOBODY = '(unknown)';

function firstLabels(most: number): (label: string) => string {
  const known = new Set<string>();
  return (label) => {
    if (known.size < most) known.add(label);
    return known.has(label) ? label : REST;
  };
}
