import type { Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { Store } from '@switchyard/storage';
import { openAccess, type AccessControl } from './access';
import { createApiKeys, type ApiKeys } from './api-keys';
import { anonymousAuthenticator, createAuthenticator, type Authenticate } from './credentials/authenticator';
import { restrictions, type RestrictionOf } from './credentials/key-limits';
import { createTokens, type Tokens } from './tokens';

export interface IdentitiesDependencies {
  readonly store: Pick<Store, 'users' | 'tokens' | 'apiKeys' | 'roles'>;
  readonly clock: Pick<Clock, 'nowMicros' | 'monotonicMs' | 'after'>;
  readonly config: Pick<Config, 'auth' | 'system_user'>;
  /** Default: `openAccess`. */
  readonly access?: AccessControl;
}

/**
 * Tokens, API keys and authentication. Create it once per process: its parts share one cache, so that a key disabled
 * through one service stops working in the process's other services at once.
 */
export interface Identities {
  readonly tokens: Tokens;
  readonly apiKeys: ApiKeys;
  readonly access: AccessControl;
  readonly users: Store['users'];
  /** The most that a role permits, or a list of grants. */
  readonly restrictionOf: RestrictionOf;
  /** Always requires credentials, whatever the configuration says. For the auth service. */
  readonly authenticate: Authenticate;
  /** Requires credentials unless `auth.enable` is off; then every request runs as the system user. */
  readonly authenticateIfEnabled: Authenticate;
}

export function createIdentities({ store, clock, config, access = openAccess }: IdentitiesDependencies): Identities {
  const tokens = createTokens({ store, clock, maxTtlSeconds: config.auth.token_ttl });
  const apiKeys = createApiKeys({ store, clock });
  const restrictionOf = restrictions({ roles: store.roles, clock });
  const authenticate = createAuthenticator({
    tokens,
    apiKeys,
    store,
    clock,
    access,
    restrictionOf,
  });
  return {
    tokens,
    apiKeys,
    access,
    users: store.users,
    restrictionOf,
    authenticate,
    authenticateIfEnabled: config.auth.enable ? authenticate : anonymousAuthenticator(config.system_user.user),
  };
}
