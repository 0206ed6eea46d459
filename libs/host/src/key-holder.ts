import { existsSync, readFileSync } from 'node:fs';
import type { InstanceKeys } from '@switchyard/model';
import { parseKeyRing, type KeyRing } from '@switchyard/storage';
import { createService } from './create-service';
import { createInstanceLease } from './instances/instance-lease';
import type { Platform } from './platform';
import type { Service } from './service';

/** The name under which processes report which keys they have. */
export const KEY_HOLDER = 'key-holder';
/** The name of the service that carries out rotations of keys. */
export const KEY_ROTATOR = 'key-rotation';

/** Reports the keys of this process to rotations of keys for as long as it runs. Only the ids of keys reach the
 * store. */
export function createKeyHolder(platform: Pick<Platform, 'config' | 'store' | 'clock' | 'logger' | KeyParts>): Service {
  const { config, store, clock, logger } = platform;
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const lease = createInstanceLease({
    instances: store.instances,
    clock,
    logger,
    service: KEY_HOLDER,
    heartbeatMs,
    leaseMs,
    keys: () => keysOf(platform),
  });
  return createService({
    name: KEY_HOLDER,
    start: () => lease.start(),
    stop: () => lease.stop(),
    kill: () => void lease.stop().catch(() => undefined),
  });
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
