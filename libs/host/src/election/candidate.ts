import type { Clock } from '@switchyard/base';
import type { InstanceRepository } from '@switchyard/storage';
import { createInstanceLease } from '../instances/instance-lease';
import { observeInstances } from '../instances/observe-instances';

export interface CandidateOptions {
  instances: Pick<InstanceRepository, 'register' | 'beat' | 'remove' | 'list'>;
  clock: Clock;
  logger: { warn(message: string, fields?: Record<string, unknown>): void };
  /** The service whose processes compete for the same leaderships. */
  service: string;
  /** `instances.heartbeat_ms` and `instances.lease_ms`. */
  heartbeatMs: number;
  leaseMs: number;
}

/** This process as a candidate: its own lease, and its view of the other processes of the service. */
export interface ElectionCandidate {
  readonly id: string;
  readonly heartbeatMs: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * The number of the current life; undefined as soon as others may consider this process dead. After the next
   * heartbeat it gets a new number. Does no I/O.
   */
  life(): number | undefined;
  /** The living processes of the service. Removes the records of dead ones, so that they are not waited for twice. */
  alive(): Promise<ReadonlySet<string>>;
}

/**
 * Other processes consider a process dead when its beat has not changed for the length of the lease, counted from when
 * they first saw that beat. The process itself counts from before it sent the beat and gives up one heartbeat earlier,
 * so that it gives up before any other process takes over.
 */
export function createCandidate(options: CandidateOptions): ElectionCandidate {
  const { instances, clock, service, heartbeatMs, leaseMs } = options;
  const trustMs = leaseMs - heartbeatMs;
  let shownAtMs = -Infinity;
  let lives = 0;
  const noting =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const sentAtMs = clock.monotonicMs();
      const result = await call(...args);
      if (result === false) return result;
      if (sentAtMs - shownAtMs >= trustMs) lives++;
      shownAtMs = sentAtMs;
      return result;
    };
  const lease = createInstanceLease({
    ...options,
    instances: { register: noting(instances.register), beat: noting(instances.beat), remove: instances.remove },
  });
  const observer = observeInstances(instances, lease.renewals, leaseMs);
  return {
    id: lease.id,
    heartbeatMs,
    start: () => lease.start(),
    async stop() {
      shownAtMs = -Infinity;
      await lease.stop();
    },
    life: () => (clock.monotonicMs() - shownAtMs < trustMs ? lives : undefined),
    async alive() {
      const { alive, dead } = await observer.look(service);
      for (const { _id } of dead) if (_id !== lease.id) await instances.remove(_id);
      return new Set(alive.map(({ _id }) => _id));
    },
  };
}
