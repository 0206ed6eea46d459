import { fault } from '@switchyard/base';
import { prepareRoles } from '@switchyard/identity';
import type { Platform } from '@switchyard/host';

/**
 * Prepares the roles before a service of this process checks permissions.
 * @throws Fault `auth.no-administrator`, and `config.conflict` for a `rbac.backend` that does not exist
 */
export async function preparedRoles({
  platform: { store, config, paths },
}: {
  readonly platform: Pick<Platform, 'store' | 'config' | 'paths'>;
}): Promise<void> {
  const { enable, backend } = config.rbac;
  if (enable && backend !== 'default') {
    const known = 'no installed package provides it. Known backends are: default';
    throw fault('config.conflict', { text: `rbac.backend = ${backend} is not available: ${known}` });
  }
  await prepareRoles(store, config.rbac, paths.roles);
}
