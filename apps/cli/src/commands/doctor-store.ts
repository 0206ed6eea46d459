import { existsSync } from 'node:fs';
import { messageOf } from '@switchyard/base';
import { loadConfig, paths, type Config, type Paths } from '@switchyard/config';
import { createValueCipher } from '@switchyard/datastore';
import { connectMongo, createSealer, readKeyRing, type Connection } from '@switchyard/storage';
import type { Openers } from '@switchyard/storage/doctor';
import { openEmbedded } from '@switchyard/storage/embedded';
import { CommandError } from '../exit-codes';

export interface StoreChoice {
  readonly configFile: string | undefined;
  readonly dataDirectory: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** The store of the services, opened without them. */
export interface DoctorStore {
  readonly connection: Connection;
  readonly openers: Openers;
  readonly paths: Paths;
  /** A process without a heartbeat for this long counts as dead. */
  readonly leaseMs: number;
  /** Problems that only affect some values. */
  readonly warnings: readonly string[];
}

const A_DAY_SECONDS = 86_400;

/** @throws CommandError if there is no store, or Fault if it is in use or unreachable */
export async function openStoreAlone({ configFile, dataDirectory, environment }: StoreChoice): Promise<DoctorStore> {
  const { config, warnings } = loadConfig({
    environment,
    ...(configFile === undefined ? {} : { file: configFile }),
    ...(dataDirectory === undefined ? {} : { overrides: { system: { base_path: dataDirectory } } }),
  });
  const where = paths(config);
  const key = await recordKey(where);
  const connection = await connectAlone(config, where);
  const { enable_encryption: enabled, encryption_key_path: named } = config.keyvalue;
  const cipher = createValueCipher({ enabled, path: where.datastoreKey, mayCreate: named === null });
  return {
    connection,
    paths: where,
    leaseMs: config.instances.lease_ms,
    openers: { open: key.open, openItem: (value, name) => cipher.decrypt(value, name) },
    warnings: [...warnings, ...key.warnings],
  };
}

/** Does not create a missing key file: the doctor reports records that are encrypted with missing keys. */
async function recordKey({ recordKey: path }: Paths) {
  try {
    const ring = await readKeyRing(path);
    if (ring) return { open: createSealer(ring).open, warnings: [] };
    return { open: refusing(`the key file ${path} does not exist`), warnings: [] };
  } catch (error) {
    return { open: refusing(messageOf(error)), warnings: [messageOf(error)] };
  }
}

const refusing = (text: string) => () => {
  throw new Error(text);
};

/** @throws CommandError if there is no store, or Fault if it is in use or unreachable */
export async function connectAlone(config: Config, { store }: Paths): Promise<Connection> {
  if (config.storage.driver === 'mongodb') return connectMongo(config.database);
  if (!existsSync(store)) throw new CommandError(`There is no store in ${store}.`);
  // Expired records are not removed, because an examination changes nothing.
  return openEmbedded({ directory: store, durability: 'flush', ttlSweepSeconds: A_DAY_SECONDS });
}
