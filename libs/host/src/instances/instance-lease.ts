import { hostname } from 'node:os';
import { messageOf, newId, type Clock } from '@switchyard/base';
import type { InstanceRecord } from '@switchyard/model';
import type { InstanceRepository } from '@switchyard/storage';

/** The sign of life of this process in the store. */
export interface InstanceLease {
  readonly id: string;
  readonly host: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface LeaseOptions {
  instances: Pick<InstanceRepository, 'register' | 'beat' | 'remove'>;
  clock: Clock;
  logger: { warn(message: string, fields?: Record<string, unknown>): void };
  service: string;
  heartbeatMs: number;
  /** Silence after which others take this process for dead. */
  leaseMs: number;
  slots?: number;
  pools?: readonly string[];
  /** Called when the process was silent for longer than its lease (a stopped process, a lost store): others may have acted. */
  onLapse?: () => void;
}

export function createInstanceLease(options: LeaseOptions): InstanceLease {
  const { instances, clock, logger, service, heartbeatMs, leaseMs } = options;
  const record = (): InstanceRecord => ({
    _id: lease.id,
    service,
    host: lease.host,
    pid: process.pid,
    beat: 0,
    started_at: clock.nowMicros(),
    ...(options.slots === undefined ? {} : { slots: options.slots }),
    ...(options.pools ? { pools: [...options.pools] } : {}),
  });
  let lastBeatMs = 0;
  let stopTimer: (() => void) | undefined;
  let stopped = false;
  const beat = async () => {
    try {
      if (!(await instances.beat(lease.id))) await instances.register(record());
      const now = clock.monotonicMs();
      if (now - lastBeatMs > leaseMs) options.onLapse?.();
      lastBeatMs = now;
    } catch (error) {
      logger.warn('The sign of life of this process could not be stored.', { service, error: messageOf(error) });
    }
    if (!stopped) stopTimer = clock.after(heartbeatMs, () => void beat());
  };
  const lease: InstanceLease = {
    id: newId(),
    host: hostname(),
    async start() {
      await instances.register(record());
      lastBeatMs = clock.monotonicMs();
      stopTimer = clock.after(heartbeatMs, () => void beat());
    },
    async stop() {
      stopped = true;
      stopTimer?.();
      await instances.remove(lease.id);
    },
  };
  return lease;
}
