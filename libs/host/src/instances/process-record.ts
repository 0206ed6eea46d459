import { existsSync, readFileSync } from 'node:fs';
import type { Config } from '@switchyard/config';
import type { InstanceKeys, InstanceRecord } from '@switchyard/model';
import { parseKeyRing, SCHEMA_VERSION, type KeyRing } from '@switchyard/storage';
import { createService } from '../create-service';
import type { Platform } from '../platform';
import type { Service } from '../service';
import { createInstanceLease } from './instance-lease';

/**
 * The name under which every process has a record, besides those of its services. Processes of earlier versions look
 * for the keys of others under this name.
 */
export const PROCESS = 'key-holder';
/** The name of the service that carries out rotations of keys. */
export const KEY_ROTATOR = 'key-rotation';

type RecordedPlatform = Pick<Platform, 'config' | 'store' | 'clock' | 'logger' | KeyParts>;

/**
 * Keeps the record of this process for as long as it runs: its services and versions for the service registry, and its
 * keys for rotations. Only the ids of keys reach the store.
 */
export function createProcessRecord(
  platform: RecordedPlatform,
  { services, version }: { readonly services: readonly Pick<Service, 'name'>[]; readonly version: string },
): Service {
  const { config, store, clock, logger } = platform;
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const names = services.map(({ name }) => name);
  const lease = createInstanceLease({
    instances: store.instances,
    clock,
    logger,
    service: PROCESS,
    heartbeatMs,
    leaseMs,
    keys: () => keysOf(platform),
    about: { services: names, version, schema: SCHEMA_VERSION, listens: listensOf(config, names) },
  });
  return createService({
    name: PROCESS,
    start: () => lease.start(),
    stop: () => lease.stop(),
    kill: () => void lease.stop().catch(() => undefined),
  });
}

/** The addresses of the configuration. A port that the system chooses is left out. */
function listensOf(
  { api, auth, stream }: Pick<Config, 'api' | 'auth' | 'stream'>,
  names: readonly string[],
): NonNullable<InstanceRecord['listens']> {
  const all = {
    api: { host: api.host, port: api.port },
    auth: { host: auth.host, port: auth.port, tls: auth.use_ssl },
    stream: { host: stream.host, port: stream.port },
  };
  return Object.fromEntries(Object.entries(all).filter(([name, { port }]) => names.includes(name) && port !== 0));
}

type KeyParts = 'paths' | 'recordKeys';

/** The datastore reads its key file each time it needs a key, so it uses the current content of the file. */
function keysOf({ paths: { datastoreKey }, recordKeys }: Pick<Platform, KeyParts>): InstanceKeys {
  const records = idsOf(recordKeys.reread());
  if (!existsSync(datastoreKey)) return { records };
  try {
    return { records, datastore: idsOf(parseKeyRing(readFileSync(datastoreKey, 'utf8'))) };
  } catch {
    // Code that needs a key from the file reports the reason.
    return { records };
  }
}

const idsOf = ({ current, keys }: KeyRing) => ({ current, known: Object.keys(keys) });
