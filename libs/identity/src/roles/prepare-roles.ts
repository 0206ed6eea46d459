import type { Config } from '@switchyard/config';
import type { Store } from '@switchyard/storage';
import { hasAdministrator, noAdministrator } from './apply-definitions';
import { ensureSystemRoles } from './system-roles';

/**
 * Stores the system's roles before a service checks permissions. Once roles are on, somebody must be an administrator.
 * @param directory where definition files are, for the error
 * @throws Fault `auth.no-administrator`
 */
export async function prepareRoles(
  store: Pick<Store, 'roles' | 'roleAssignments'>,
  { enable }: Pick<Config['rbac'], 'enable'>,
  directory: string,
): Promise<void> {
  await ensureSystemRoles(store);
  if (enable && !(await hasAdministrator(store))) throw noAdministrator(directory);
}
