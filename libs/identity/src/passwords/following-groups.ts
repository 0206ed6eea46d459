import { fault } from '@switchyard/base';
import type { Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import { followGroups } from '../roles/follow-groups';
import type { PasswordBackend } from './password-backend';

interface FollowingGroupsDependencies {
  readonly store: Pick<Store, 'roleAssignments' | 'groupMappings'>;
  readonly logger: Pick<Logger, 'audit' | 'warn'>;
}

/**
 * A backend that gives users the roles of their groups at each login. If the groups cannot be read or the roles cannot
 * be stored, the login succeeds and the roles are unchanged.
 * @throws Fault `config.conflict` for a backend without groups
 */
export function followingGroups(
  name: string,
  backend: PasswordBackend,
  { store, logger }: FollowingGroupsDependencies,
): PasswordBackend {
  const groupsOf = requireGroups(name, backend);
  const follow = async (user: string): Promise<void> => {
    try {
      const groups = await groupsOf.call(backend, user);
      if (await followGroups(store, user, groups)) logger.audit('Roles follow groups.', { user, groups });
    } catch (error) {
      logger.warn('The roles of a user do not follow their groups at the moment.', { user, error });
    }
  };
  return {
    ...backend,
    async authenticate(user, password) {
      const isRight = await backend.authenticate(user, password);
      if (isRight) await follow(user);
      return isRight;
    },
    close: async () => backend.close?.(),
  };
}

/** The groups of a backend. @throws Fault `config.conflict` for a backend without groups */
export function requireGroups(name: string, { groupsOf }: PasswordBackend): NonNullable<PasswordBackend['groupsOf']> {
  if (groupsOf) return groupsOf;
  const text = `rbac.sync_remote_groups = true needs an authentication backend that has groups, and "${name}" has none`;
  throw fault('config.conflict', { text });
}
