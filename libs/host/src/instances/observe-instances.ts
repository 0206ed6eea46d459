import type { Clock } from '@switchyard/base';
import type { InstanceRecord } from '@switchyard/model';
import type { InstanceRepository } from '@switchyard/storage';

/**
 * Tells which service processes are alive. A lease has run out when the other's beat stood still for `leaseMs` of the
 * observer's own monotonic clock: wall clocks of two machines are never compared. A process without a record is dead.
 */
export interface InstanceObserver {
  /** Reads the store and answers the living instances of a service. */
  alive(service: string): Promise<InstanceRecord[]>;
}

interface Sighting {
  beat: number;
  seenAtMs: number;
}

export function observeInstances(
  instances: Pick<InstanceRepository, 'list'>,
  clock: Clock,
  leaseMs: number,
): InstanceObserver {
  const sightings = new Map<string, Sighting>();
  const isAlive = ({ _id, beat }: InstanceRecord, now: number): boolean => {
    const last = sightings.get(_id);
    if (last?.beat === beat) return now - last.seenAtMs < leaseMs;
    sightings.set(_id, { beat, seenAtMs: now });
    return true;
  };
  return {
    async alive(service) {
      const records = await instances.list(service);
      const now = clock.monotonicMs();
      return records.filter((record) => isAlive(record, now));
    },
  };
}
