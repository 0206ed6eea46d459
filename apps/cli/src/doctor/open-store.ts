import { existsSync } from 'node:fs';
import { messageOf } from '@switchyard/base';
import { loadConfig, paths, type Config, type Paths } from '@switchyard/config';
import { createValueCipher } from '@switchyard/datastore';
import {
  connectMongo,
  createSealer,
  openEmbedded,
  readKeyRing,
  type Connection,
  type Openers,
} from '@switchyard/storage';
import { CommandError } from '../exit-codes';

export interface StoreChoice {
  readonly configFile: string | undefined;
  readonly dataDirectory: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** The store that the services are configured to use, opened beside them. */
export interface OpenedStore {
  readonly connection: Connection;
  readonly openers: Openers;
  readonly paths: Paths;
  /** How long a process that lives may give no sign. */
  readonly leaseMs: number;
  /** What could not be used and is needed for some values only. */
  readonly warnings: readonly string[];
}

const A_DAY_SECONDS = 86_400;

/** @throws CommandError where there is no store; Fault when it is in use or cannot be reached */
export async function openStoreAlone({ configFile, dataDirectory, environment }: StoreChoice): Promise<OpenedStore> {
  const { config, warnings } = loadConfig({
    environment,
    ...(configFile === undefined ? {} : { file: configFile }),
    ...(dataDirectory === undefined ? {} : { overrides: { system: { base_path: dataDirectory } } }),
  });
  const where = paths(config);
  const key = await recordKey(where);
  const connection = await connectionOf(config, where);
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

/** A key file that is missing is not made: what was sealed with its keys is what is looked for. */
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

async function connectionOf(config: Config, { store }: Paths): Promise<Connection> {
  if (config.storage.driver === 'mongodb') return connectMongo(config.database);
  if (!existsSync(store)) throw new CommandError(`There is no store in ${store}.`);
  // What is past its time stays: a look changes nothing.
  return openEmbedded({ directory: store, durability: 'flush', ttlSweepSeconds: A_DAY_SECONDS });
}
