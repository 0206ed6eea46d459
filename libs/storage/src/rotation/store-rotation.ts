import { existsSync } from 'node:fs';
import type { Config, Paths } from '@switchyard/config';
import type { KeySource } from '../sealing/live-key-ring';
import type { Store } from '../store';
import { advanceRotation, type Advance, type RotationDeps } from './advance';
import { recordResealer } from './record-resealer';
import type { Resealer } from './walk';

export interface StoreRotationOptions extends Pick<RotationDeps, 'holders' | 'nowMicros' | 'graceMs'> {
  readonly store: Pick<Store, 'keyRotations' | 'walk'>;
  readonly recordKeys: KeySource;
  /** Encrypts the secret items of the datastore again; undefined while there is no key file. */
  readonly itemResealer: () => Promise<Resealer | undefined>;
  readonly paths: Pick<Paths, 'recordKey' | 'datastoreKey'>;
  readonly config: Pick<Config, 'keyvalue'>;
}

/** Rotations of the keys of one store. Each call does the next step of the last one. */
export function storeRotation(options: StoreRotationOptions): () => Promise<Advance> {
  const { store, recordKeys, itemResealer, paths, config, ...rest } = options;
  const deps: RotationDeps = {
    ...rest,
    rotations: store.keyRotations,
    walk: store.walk,
    resealers: async (ring) => (ring === 'records' ? recordResealer(recordKeys) : itemResealer()),
    files: async () => ({
      records: paths.recordKey,
      ...(config.keyvalue.enable_encryption && existsSync(paths.datastoreKey) ? { datastore: paths.datastoreKey } : {}),
    }),
  };
  return () => advanceRotation(deps);
}
