import { createPackConfigs } from '@switchyard/content/configs/pack-configs';
import { createDatastore, createValueCipher, openItemResealers } from '@switchyard/datastore';
import type { ConfigFor } from '@switchyard/executions';
import { part } from './assembly';
import { identitiesOf } from './identities';
import { triggersOf } from './triggers';

/** The key-value items; a change of one starts its trigger. */
export const datastoreOf = part((assembly) => {
  const { config, paths, store, clock, logger } = assembly.platform;
  const { enable_encryption: enabled, encryption_key_path: named } = config.keyvalue;
  const { access, restrictionOf } = identitiesOf(assembly);
  const { dispatch } = triggersOf(assembly);
  return createDatastore({
    store,
    clock,
    logger,
    access,
    restrictionOf,
    cipher: createValueCipher({ enabled, path: paths.datastoreKey, mayCreate: named === null }),
    systemUser: config.system_user.user,
    onChange: ({ kind, payload }) => dispatch({ trigger: `core.st2.key_value_pair.${kind}`, payload, validate: false }),
  });
});

/** Encrypts the secret items again when keys are rotated. */
export const itemResealerOf = part(({ platform: { paths } }) =>
  openItemResealers({ path: paths.datastoreKey, mayCreate: false }),
);

/** The configuration of a pack, with the items of the datastore that the given user may read. */
export const configForOf = part((assembly): ConfigFor => {
  const packConfigs = createPackConfigs(assembly.platform.store);
  const { lookupFor } = datastoreOf(assembly);
  return (pack, context) => packConfigs.of(pack, lookupFor(context));
});
