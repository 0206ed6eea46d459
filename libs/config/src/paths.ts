import { resolve } from 'node:path';
import type { Config } from './config';

/** Absolute paths of everything that lives on disk. */
export interface Paths {
  readonly base: string;
  /** Where packs are installed. */
  readonly packs: string;
  /** Every directory that packs are loaded from, `packs` first. */
  readonly packsBasePaths: readonly string[];
  readonly virtualenvs: string;
  /** Configurations of packs. */
  readonly configs: string;
  readonly keys: string;
  /** Key file of encrypted datastore items. */
  readonly datastoreKey: string;
  /** Key file of secrets in stored records. */
  readonly recordKey: string;
  /** Directory of the embedded store. */
  readonly store: string;
  readonly logs: string;
}

export function paths(config: Config): Paths {
  const base = resolve(config.system.base_path);
  const packs = resolve(config.content.system_packs_base_path ?? `${base}/packs`);
  const further = (config.content.packs_base_paths ?? '').split(':').filter((path) => path !== '');
  return {
    base,
    packs,
    packsBasePaths: [...new Set([packs, ...further.map((path) => resolve(path))])],
    virtualenvs: resolve(base, 'virtualenvs'),
    configs: resolve(base, 'configs'),
    keys: resolve(base, 'keys'),
    datastoreKey: resolve(config.keyvalue.encryption_key_path ?? `${base}/keys/datastore_key.json`),
    recordKey: resolve(base, 'keys/record_keys.json'),
    store: resolve(base, 'store'),
    logs: resolve(base, 'logs'),
  };
}
