import type { Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { Store } from '@switchyard/storage';
import { openAccess, type AccessControl } from './access/access-control';
import { createApiKeys, type ApiKeys } from './api-keys/api-keys';
import { anonymousAuthenticator, createAuthenticator, type Authenticate } from './credentials/authenticator';
import { createTokens, type Tokens } from './tokens/tokens';

export interface IdentitiesDependencies {
  readonly store: Pick<Store, 'users' | 'tokens' | 'apiKeys'>;
  readonly clock: Pick<Clock, 'nowMicros' | 'monotonicMs'>;
  readonly config: Pick<Config, 'auth' | 'system_user'>;
  /** Everybody may do everything when absent. */
  readonly access?: AccessControl;
}

/**
 * Everything about who is who, once a process: its parts share what they remember, so that a key that is disabled through
 * one service stops working in the others of the process at once.
 */
export interface Identities {
  readonly tokens: Tokens;
  readonly apiKeys: ApiKeys;
  readonly access: AccessControl;
  readonly users: Store['users'];
  /** Asks for credentials, whatever the configuration says: for the auth service. */
  readonly authenticate: Authenticate;
  /** Asks for credentials unless `auth.enable` is off; then everybody is the system user. */
  readonly authenticateIfEnabled: Authenticate;
}

export function createIdentities({ store, clock, config, access = openAccess }: IdentitiesDependencies): Identities {
  const tokens = createTokens({ store, clock, maxTtlSeconds: config.auth.token_ttl });
  const apiKeys = createApiKeys({ store, clock });
  const authenticate = createAuthenticator({ tokens, apiKeys, store, clock, access });
  return {
    tokens,
    apiKeys,
    access,
    users: store.users,
    authenticate,
    authenticateIfEnabled: config.auth.enable ? authenticate : anonymousAuthenticator(config.system_user.user),
  };
}
