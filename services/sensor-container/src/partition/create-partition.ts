import { fault } from '@switchyard/base';
import type { Datastore } from '@switchyard/datastore';
import type { Logger } from '@switchyard/telemetry';
import { filePartition } from './file-partition';
import { isInRanges, parseHashRanges, sensorHash } from './hash-ranges';
import { share } from './share';

export interface PartitionDeps {
  /** `sensorcontainer.partition_provider`: `name`, and the options of that provider. */
  readonly provider: Readonly<Record<string, string>>;
  readonly nodeName: string;
  /** Id of this process among the containers. */
  readonly instance: string;
  readonly datastore: Pick<Datastore, 'get'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Creates the configured partition.
 * @throws Fault `sensor.partition-unknown`, `sensor.partition-option`, `sensor.hash-ranges`
 */
export function createPartition(deps: PartitionDeps): Partition {
  const { name = 'default' } = deps.provider;
  const make = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (!make) throw fault('sensor.partition-unknown', { name, known: Object.keys(providers).join(', ') });
  return make(deps);
}

const providers: Readonly<Record<string, (deps: PartitionDeps) => Partition>> = {
  default: ({ instance }) => ({
    isShared: true,
    owned: async (refs, sharers) => {
      const shared = share(refs, sharers);
      return new Set(refs.filter((ref) => shared.get(ref) === instance));
    },
  }),
  kvstore: ({ datastore, nodeName }) => ({
    isShared: false,
    owned: async () => new Set(await listed(datastore, nodeName)),
  }),
  file: (deps) => filePartition(needed(deps, 'file', 'partition_file'), deps),
  hash: (deps) => {
    const ranges = parseHashRanges(needed(deps, 'hash', 'hash_ranges'));
    return {
      isShared: false,
      owned: async (refs) => new Set(refs.filter((ref) => isInRanges(sensorHash(ref), ranges))),
    };
  },
};

function needed({ provider }: PartitionDeps, name: string, option: string): string {
  const value = provider[option];
  if (value === undefined || value === '') throw fault('sensor.partition-option', { name, option });
  return value;
}

/** A missing item lists no sensors, and may appear later. */
async function listed(datastore: Pick<Datastore, 'get'>, nodeName: string): Promise<string[]> {
  const item = await datastore.get({ scope: 'system', name: `${nodeName}.sensor_partition` });
  return (item?.value ?? '')
    .split(',')
    .map((ref) => ref.trim())
    .filter((ref) => ref !== '');
}

/** Decides which sensors this container should run. */
export interface Partition {
  /** Whether the containers with this partition divide all sensors among themselves. */
  readonly isShared: boolean;
  /**
   * @param refs of every enabled sensor
   * @param sharers the living containers that share the partition, including this one
   */
  owned(refs: readonly string[], sharers: readonly string[]): Promise<ReadonlySet<string>>;
}
