import { createDatastore, createValueCipher, type Datastore } from '@switchyard/datastore';
import type { Platform } from '@switchyard/host';
import type { AccessControl } from '@switchyard/identity';
import type { Dispatch } from '@switchyard/triggers';

/** The datastore of this process. @param dispatch starts the triggers of items; without it there are none */
export function openDatastore(platform: Platform, access: AccessControl, dispatch?: Dispatch): Datastore {
  const { config, paths, store, clock, logger } = platform;
  const { enable_encryption: enabled, encryption_key_path: named } = config.keyvalue;
  return createDatastore({
    store,
    clock,
    logger,
    access,
    cipher: createValueCipher({ enabled, path: paths.datastoreKey, mayCreate: named === null }),
    systemUser: config.system_user.user,
    onChange:
      dispatch &&
      (({ kind, payload }) => dispatch({ trigger: `core.st2.key_value_pair.${kind}`, payload, validate: false })),
  });
}
