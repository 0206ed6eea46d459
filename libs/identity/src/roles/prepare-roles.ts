import { fault } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import { hasAdministrator, noAdministrator } from './apply-definitions';
import type { RoleBackend } from './role-backend';
import { ensureSystemRoles } from './system-roles';

export interface PrepareRolesOptions {
  readonly store: Pick<Store, 'roles' | 'roleAssignments'>;
  /** `rbac.enable` */
  readonly enable: boolean;
  /** Where definition files are, for the error. */
  readonly directory: string;
  /** `rbac.backend` if it is that of a plug-in, with its name. */
  readonly backend?: { readonly name: string; readonly roles: Pick<RoleBackend, 'hasAdministrator'> } | undefined;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Whether the roles in the store decide what users may do, and not a plug-in. */
export const storedRolesCount = ({ enable, backend }: Pick<Config['rbac'], 'enable' | 'backend'>): boolean =>
  enable && backend === 'default';

/**
 * Stores the system's roles before a service checks permissions. Once roles are on, somebody must be an administrator.
 * @throws Fault `auth.no-administrator`, or `config.conflict` if the backend of a plug-in knows no administrator
 */
export async function prepareRoles({ store, enable, directory, backend, logger }: PrepareRolesOptions): Promise<void> {
  await ensureSystemRoles(store);
  if (!enable) return;
  if (!backend) {
    if (!(await hasAdministrator(store))) throw noAdministrator(directory);
    return;
  }
  // The backend may be down for a while. Requests fail until it is back.
  const known = await backend.roles.hasAdministrator().catch((error: unknown) => {
    logger.warn('Could not check whether somebody is an administrator.', { backend: backend.name, error });
    return true;
  });
  if (known) return;
  throw fault('config.conflict', {
    text: `rbac.backend = ${backend.name} defines no administrator, so no user could manage the system`,
  });
}
