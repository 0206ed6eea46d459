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
  /** The same, with those whose lease has run out and whose records are still there. */
  look(service: string): Promise<Sighted>;
}

export interface Sighted {
  alive: InstanceRecord[];
  dead: InstanceRecord[];
}

interface Sighting {
  beat: number;
  seenAtMs: number;
}

export function observeInstances(
  instances: Pick<InstanceRepository, 'list'>,
  clock: Pick<Clock, 'monotonicMs'>,
  leaseMs: number,
): InstanceObserver {
  const byService = new Map<string, Map<string, Sighting>>();
  const look = async (service: string): Promise<Sighted> => {
    const records = await instances.list(service);
    const now = clock.monotonicMs();
    const before = byService.get(service) ?? new Map<string, Sighting>();
    // A beat that stands still keeps the time at which it was first seen; whoever is gone is forgotten.
    const sightings = new Map(records.map(({ _id, beat }) => [_id, sighting(before.get(_id), beat, now)]));
    byService.set(service, sightings);
    const isAlive = ({ _id }: InstanceRecord) => now - (sightings.get(_id)?.seenAtMs ?? now) < leaseMs;
    return { alive: records.filter(isAlive), dead: records.filter((record) => !isAlive(record)) };
  };
  return { look, alive: async (service) => (await look(service)).alive };
}

const sighting = (last: Sighting | undefined, beat: number, now: number): Sighting =>
  last?.beat === beat ? last : { beat, seenAtMs: now };
