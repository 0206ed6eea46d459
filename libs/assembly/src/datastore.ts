import { paths, type Config } from '@switchyard/config';
import { createPackConfigs } from '@switchyard/content/configs/pack-configs';
import { createDatastore, createValueCipher, openItemResealers, openKeyFile } from '@switchyard/datastore';
import type { ConfigFor } from '@switchyard/executions';
import { part } from './assembly';
import { identitiesOf } from './identities';
import { triggersOf } from './triggers';

/** The key-value items; a change of one starts its trigger. */
export const datastoreOf = part((assembly) => {
  const { config, paths: where, store, clock, logger } = assembly.platform;
  const { enable_encryption: enabled, encryption_key_path: named } = config.keyvalue;
  const { access, restrictionOf } = identitiesOf(assembly);
  const { dispatch } = triggersOf(assembly);
  return createDatastore({
    store,
    clock,
    logger,
    access,
    restrictionOf,
    cipher: createValueCipher({ enabled, path: where.datastoreKey, mayCreate: named === null }),
    systemUser: config.system_user.user,
    onChange: ({ kind, payload }) => dispatch({ trigger: `core.st2.key_value_pair.${kind}`, payload, validate: false }),
  });
});

/** Reads the keys of secret items, if there are any. @throws Fault `storage.key-file` for a file that cannot be used */
export async function checkDatastoreKeys(config: Config): Promise<void> {
  const file = openKeyFile({ path: paths(config).datastoreKey, mayCreate: false });
  if (config.keyvalue.enable_encryption) await file.read();
}

/** Encrypts the secret items again when keys are rotated. */
export const itemResealerOf = part(({ platform }) =>
  openItemResealers({ path: platform.paths.datastoreKey, mayCreate: false }),
);

/** The configuration of a pack, with the items of the datastore that the given user may read. */
export const configForOf = part((assembly): ConfigFor => {
  const packConfigs = createPackConfigs(assembly.platform.store);
  const { lookupFor } = datastoreOf(assembly);
  return (pack, context) => packConfigs.of(pack, lookupFor(context));
});
