import { prepareRoles } from '@switchyard/identity';
import type { Assembly } from './assembly';

/**
 * What has to hold before a service of this process checks permissions.
 * @throws Fault `auth.no-administrator`
 */
export const preparedRoles = ({ platform: { store, config, paths } }: Assembly): Promise<void> =>
  prepareRoles(store, config.rbac, paths.roles);
