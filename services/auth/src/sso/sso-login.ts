import { fault } from '@switchyard/base';
import { followGroups, type SsoBackend, type SsoUser } from '@switchyard/identity';
import type { Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import { isUserName } from '../logins/user-name';

export interface SsoLoginDependencies {
  readonly store: Pick<Store, 'roleAssignments' | 'groupMappings'>;
  readonly logger: Pick<Logger, 'audit' | 'warn'>;
  /** Whether users get the roles of their groups. */
  readonly follows: boolean;
}

/** Single sign-on with a backend. */
export interface SsoLogin extends Pick<SsoBackend, 'callbackAddress' | 'responseComes' | 'givesGroups'> {
  readonly loginAddress: SsoBackend['loginAddress'];
  /** @returns the name of the user. @throws Fault `auth.sso-refused`, `auth.sso-unavailable` */
  user(...response: Parameters<SsoBackend['verify']>): Promise<string>;
}

/** @throws Fault `config.conflict` */
export function createSsoLogin(backend: SsoBackend, { store, logger, follows }: SsoLoginDependencies): SsoLogin {
  const follow = async ({ user, groups }: SsoUser): Promise<void> => {
    if (!follows || groups === undefined) return;
    try {
      if (await followGroups(store, user, groups)) logger.audit('Roles follow groups.', { user, groups });
    } catch (error) {
      logger.warn('The roles of a user do not follow their groups at the moment.', { user, error });
    }
  };
  return {
    callbackAddress: backend.callbackAddress,
    responseComes: backend.responseComes,
    givesGroups: backend.givesGroups,
    loginAddress: (secret) => backend.loginAddress(secret),
    async user(response) {
      const found = await backend.verify(response);
      if (!isUserName(found.user)) {
        throw fault('auth.sso-refused', { text: 'the provider gave no valid name for the user' });
      }
      await follow(found);
      return found.user;
    },
  };
}
