import type { InstanceObserver } from '@switchyard/host';
import type { InstanceRecord, SensorStateRecord, SensorTypeRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Partition } from './partition/create-partition';

/** Containers register under this name; those that share sensors also register under the pool. */
export const SERVICE = 'sensor-container';
export const SHARING_POOL = 'sensors';

export interface AssignmentDeps {
  readonly store: Pick<Store, 'sensorTypes' | 'sensorStates' | 'instances'>;
  readonly observer: InstanceObserver;
  readonly partition: Partition;
  /** Id of this container. */
  readonly instance: string;
  /** The sensor of single-sensor mode. */
  readonly onlySensor?: string;
}

/** The sensors to run, as currently stored. */
export interface SensorAssignment {
  readonly sensors: readonly SensorTypeRecord[];
  readonly wanted: readonly SensorTypeRecord[];
  readonly states: ReadonlyMap<string, SensorStateRecord>;
  /** The ids of the living containers, as `livingContainers` gives them. */
  readonly containers: string;
  /** Whether a living container other than this one owns the sensor. */
  isTaken(ref: string): boolean;
}

/** Finds the living containers and the sensors assigned to this one. Removes the records of dead containers. */
export async function assignSensors(deps: AssignmentDeps): Promise<SensorAssignment> {
  const { store, observer, partition, instance, onlySensor } = deps;
  const { alive, dead } = await observer.look(SERVICE);
  for (const { _id } of dead) await store.instances.remove(_id);
  const [sensors, stateList] = await Promise.all([store.sensorTypes.list(), store.sensorStates.list()]);
  const sharers = alive.filter(({ pools }) => pools?.includes(SHARING_POOL)).map(({ _id }) => _id);
  const own = partition.isShared && !sharers.includes(instance) ? [...sharers, instance] : sharers;
  // Disabled sensors do not count: a container that got only these would be idle.
  const enabled = sensors.filter((sensor) => sensor.enabled).map(({ ref }) => ref);
  const owned = await partition.owned(enabled, own);
  const states = new Map(stateList.map((state) => [state._id, state]));
  const living = new Set(alive.map(({ _id }) => _id));
  return {
    sensors,
    states,
    containers: idsOf(alive),
    wanted: sensors.filter(({ ref, enabled }) =>
      onlySensor === undefined ? enabled && owned.has(ref) : ref === onlySensor,
    ),
    isTaken(ref) {
      const owner = states.get(ref)?.owner?.instance;
      return owner !== undefined && owner !== instance && living.has(owner);
    },
  };
}

/** The ids of the living containers, in one text to compare. */
export const livingContainers = async ({ observer }: Pick<AssignmentDeps, 'observer'>): Promise<string> =>
  idsOf(await observer.alive(SERVICE));

const idsOf = (records: readonly InstanceRecord[]): string =>
  records
    .map(({ _id }) => _id)
    .sort()
    .join(' ');
