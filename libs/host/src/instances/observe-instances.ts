import type { Clock } from '@switchyard/base';
import type { InstanceRecord } from '@switchyard/model';
import type { InstanceRepository } from '@switchyard/storage';

/**
 * Determines which service processes are alive. A lease has run out when the beat has not changed for `leaseMs` on the
 * observer's own monotonic clock; wall clocks of two machines are never compared. A process without a record is dead.
 *
 * 1. While the observer itself is held up (a busy or suspended machine), it makes no observations, and the other processes
 *    may be held up too. So each look counts for at most a part of the lease.
 * 2. While the store answers reads but no writes (a full or slow disk), no beat arrives. So an observer that takes over the
 *    work of others counts only the time in which its own lease was renewed: it observes on the clock `renewals` of its lease.
 */
export interface InstanceObserver {
  /** Reads the store and returns the living instances of a service. */
  alive(service: string): Promise<InstanceRecord[]>;
  /** The living instances of several services, with one read. */
  aliveOf(...services: readonly string[]): Promise<InstanceRecord[]>;
  /** The same, plus the instances whose lease has run out and whose records still exist. */
  look(service: string): Promise<Sighted>;
  /** The same for the instances of all services, with one read. */
  lookAtAll(): Promise<Sighted>;
}

export interface Sighted {
  alive: InstanceRecord[];
  dead: InstanceRecord[];
}

interface Sighting {
  beat: number;
  silentMs: number;
}

/** A process counts as dead only after at least this many looks, after the first, have found the same beat. */
export const LOOKS_PER_LEASE = 3;
const ALL_SERVICES = '';

export function observeInstances(
  instances: Pick<InstanceRepository, 'list'>,
  clock: Pick<Clock, 'monotonicMs'>,
  leaseMs: number,
): InstanceObserver {
  const byService = new Map<string, { atMs: number; sightings: ReadonlyMap<string, Sighting> }>();
  const sight = (service: string, records: readonly InstanceRecord[]): Sighted => {
    const now = clock.monotonicMs();
    const last = byService.get(service);
    const passedMs = Math.min(now - (last?.atMs ?? now), leaseMs / LOOKS_PER_LEASE);
    // Forget instances that no longer have a record.
    const sightings = new Map(
      records.map(({ _id, beat }) => [_id, sighting(last?.sightings.get(_id), beat, passedMs)] as const),
    );
    byService.set(service, { atMs: now, sightings });
    const isAlive = ({ _id }: InstanceRecord) => (sightings.get(_id)?.silentMs ?? 0) < leaseMs;
    return { alive: records.filter(isAlive), dead: records.filter((record) => !isAlive(record)) };
  };
  const look = async (service: string) => sight(service, await instances.list(service));
  return {
    look,
    lookAtAll: async () => sight(ALL_SERVICES, await instances.list()),
    alive: async (service) => (await look(service)).alive,
    async aliveOf(...services) {
      const records = await instances.list(...services);
      return services.flatMap(
        (service) =>
          sight(
            service,
            records.filter((record) => record.service === service),
          ).alive,
      );
    },
  };
}

const sighting = (last: Sighting | undefined, beat: number, passedMs: number): Sighting => ({
  beat,
  silentMs: last?.beat === beat ? last.silentMs + passedMs : 0,
});
