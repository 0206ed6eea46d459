import { hostname } from 'node:os';
import { deferred, messageOf, newId, type Clock } from '@switchyard/base';
import type { InstanceKeys, InstanceRecord } from '@switchyard/model';
import type { InstanceRepository } from '@switchyard/storage';
import { untilNextMultiple } from '../task';

/** The record of this process in the store, kept fresh by heartbeats. */
export interface InstanceLease {
  readonly id: string;
  readonly host: string;
  /**
   * When the last beat that is in the store was sent, on the monotonic clock. Does not advance while the store takes no
   * writes: then nobody's beats arrive, and their silence says nothing about them.
   */
  readonly renewals: Pick<Clock, 'monotonicMs'>;
  /** False when other processes may consider this process dead, since its last beat is older than its lease. */
  holds(): boolean;
  /** Resolves with the next beat after which the lease holds, or when the lease is stopped. A beat may be older than the lease when the store responds. */
  renewed(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface LeaseOptions {
  instances: Pick<InstanceRepository, 'register' | 'beat' | 'remove'>;
  clock: Clock;
  logger: { warn(message: string, fields?: Record<string, unknown>): void };
  service: string;
  heartbeatMs: number;
  /** Other processes consider this process dead after this long without a beat. */
  leaseMs: number;
  slots?: number;
  pools?: readonly string[];
  /** What the record of a process says about it. */
  about?: Pick<InstanceRecord, 'services' | 'version' | 'schema' | 'listens'>;
  /** The keys that the process has; every heartbeat reports them. */
  keys?: () => InstanceKeys;
  /**
   * Called when the process was silent for longer than its lease (it was suspended, or the store was unavailable), or
   * when another process removed its record. Other processes may have taken over its work.
   */
  onLapse?: () => void;
}

/** A timer may fire a moment early, and must not fire again for the same beat. */
const EARLY_MS = 2;

export function createInstanceLease(options: LeaseOptions): InstanceLease {
  const { instances, clock, logger, service, heartbeatMs, leaseMs } = options;
  const record = () => recordOf(options, lease);
  let lastBeatMs = 0;
  let renewedMs = 0;
  let nextRenewal = deferred();
  let stopTimer: (() => void) | undefined;
  let stopped = false;
  let beating: Promise<void> = Promise.resolve();
  const beat = async () => {
    try {
      const sentMs = clock.monotonicMs();
      const known = await instances.beat(lease.id, options.keys?.());
      if (stopped) return;
      if (!known) await instances.register(record());
      renewedMs = sentMs;
      if (lease.holds()) {
        nextRenewal.resolve();
        nextRenewal = deferred();
      }
      const now = clock.monotonicMs();
      if (!known || now - lastBeatMs > leaseMs) options.onLapse?.();
      lastBeatMs = now;
    } catch (error) {
      logger.warn('Failed to renew the lease of this process.', { service, error: messageOf(error) });
    }
    if (!stopped) beatLater();
  };
  const beatLater = () => {
    // All leases of a process beat at the same times, so that their beats are one write.
    stopTimer = clock.after(untilNextMultiple(clock, heartbeatMs, EARLY_MS), () => {
      beating = beat();
    });
  };
  const lease: InstanceLease = {
    id: newId(),
    host: hostname(),
    renewals: { monotonicMs: () => renewedMs },
    holds: () => clock.monotonicMs() - renewedMs < leaseMs,
    renewed: () => nextRenewal.promise,
    async start() {
      renewedMs = clock.monotonicMs();
      await instances.register(record());
      lastBeatMs = clock.monotonicMs();
      beatLater();
    },
    async stop() {
      stopped = true;
      stopTimer?.();
      nextRenewal.resolve();
      // A beat in progress could otherwise restore the record.
      await beating;
      await instances.remove(lease.id);
    },
  };
  return lease;
}

const recordOf = (
  { service, clock, slots, pools, about, keys }: LeaseOptions,
  { id, host }: Pick<InstanceLease, 'id' | 'host'>,
): InstanceRecord => ({
  _id: id,
  service,
  host,
  pid: process.pid,
  beat: 0,
  started_at: clock.nowMicros(),
  ...(slots === undefined ? {} : { slots }),
  ...(pools ? { pools: [...pools] } : {}),
  ...about,
  ...(keys ? { keys: keys() } : {}),
});
