import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Config } from './config';

/** Absolute paths of all files and directories that the system uses. */
export interface Paths {
  readonly base: string;
  /** Directory in which packs are installed. */
  readonly packs: string;
  /** All directories from which packs are loaded, starting with `packs`. */
  readonly packsBasePaths: readonly string[];
  readonly virtualenvs: string;
  /** Directory of pack configurations. */
  readonly configs: string;
  readonly keys: string;
  /** File with the key of encrypted datastore items. */
  readonly datastoreKey: string;
  /** File with the keys of secrets in stored records. */
  readonly recordKey: string;
  /** Directory of the definition files of roles. */
  readonly roles: string;
  /** Directory in which plug-ins are installed. */
  readonly plugins: string;
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
    roles: resolve(config.rbac.directory ?? `${base}/rbac`),
    plugins: resolve(config.plugins.directory ?? `${base}/plugins`),
    store: resolve(base, 'store'),
    logs: resolve(base, 'logs'),
  };
}

/** Public addresses, without a trailing slash, for links and for the environment of actions. */
export interface Addresses {
  /** Address of the API, without the version. */
  readonly api: string;
  readonly webConsole: string;
}

export function addresses({ api, auth, webui }: Pick<Config, 'api' | 'auth' | 'webui'>): Addresses {
  return {
    api: withoutSlash(auth.api_url ?? `http://${api.host}:${api.port}`),
    webConsole: withoutSlash(webui.webui_base_url ?? `https://${hostname()}`),
  };
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
