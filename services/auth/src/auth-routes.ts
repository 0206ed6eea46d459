import { addresses, type Config } from '@switchyard/config';
import { knownCallers, trustedProxies, type Route, type TrustedProxies } from '@switchyard/http';
import {
  createPasswordLogin,
  followingGroups,
  type Identities,
  type PasswordBackend,
  type SsoBackend,
} from '@switchyard/identity';
import type { Store } from '@switchyard/storage';
import { createLoginBackends, type LoginBackendsDependencies } from './login-backends';
import type { TokenLogin } from './logins/token-login';
import { createProxyLogin } from './logins/proxy-login';
import { createStandaloneLogin } from './logins/standalone-login';
import { issuedTokenRoutes, type IssuedTokenDependencies } from './routes/issued-token-routes';
import { ssoRoutes, type SsoRoutesDependencies } from './routes/sso-routes';
import { terminalLoginRoutes } from './routes/terminal-login-routes';
import { returnAddresses } from './sso/return-addresses';
import { createSsoLogin } from './sso/sso-login';
import { terminalGrants } from './sso/terminal-grants';
import { tokenRoutes, type TokenRoutesDependencies } from './routes/token-routes';

export interface AuthRoutesDependencies extends LoginBackendsDependencies {
  readonly identities: Identities;
  readonly store: Pick<Store, 'roleAssignments' | 'groupMappings' | 'loginFailures' | 'loginGrants'>;
}

/** The routes of the auth service for its listeners, and a function that releases what they use. */
export interface AuthRoutes {
  /** For listeners on a port. */
  readonly routes: Route[];
  /** For the Unix socket, on which everyone counts as a trusted proxy. */
  readonly socketRoutes: Route[];
  readonly close: () => Promise<void>;
}

/** The routes without a listener, with the configured login. @throws Fault `config.conflict` */
export function createAuthRoutes(deps: AuthRoutesDependencies): AuthRoutes {
  const { config, identities, clock, logger } = deps;
  const backends = createLoginBackends(deps);
  const sso = backends.sso && singleSignOn(backends.sso, deps);
  const { loginOf, close } = backends.passwords
    ? standaloneLogins(backends.passwords, backends.followsGroups, deps)
    : proxyLogins(config);
  const routesFor = (listener: 'port' | 'socket') => {
    const proxies = trustedProxies(config.auth, listener);
    const shared = { identities, clientAddress: proxies.clientAddress, logger };
    return authRoutes(
      {
        ...shared,
        login: loginOf(proxies),
        apiUrl: addresses(config).api,
        maxBodyBytes: config.limits.max_token_body_bytes,
        maxPageSize: config.api.max_page_size,
        clock,
      },
      sso && { ...shared, ...sso },
    );
  };
  return { routes: routesFor('port'), socketRoutes: routesFor('socket'), close };
}

/** How users log in, depending on the listener. */
interface Logins {
  readonly loginOf: (proxies: TrustedProxies) => TokenLogin;
  readonly close: () => Promise<void>;
}

const proxyLogins = ({ auth }: Config): Logins => ({
  loginOf: (proxies) => createProxyLogin(auth, proxies),
  close: async () => undefined,
});

function standaloneLogins(
  checking: PasswordBackend,
  followsGroups: boolean,
  { config, clock, logger, store }: AuthRoutesDependencies,
): Logins {
  const backend = followsGroups ? followingGroups(config.auth.backend, checking, { store, logger }) : checking;
  const login = createPasswordLogin(backend, { store, clock });
  const known = knownCallers(config);
  return {
    loginOf: (proxies) => createStandaloneLogin(login, known, proxies),
    close: async () => backend.close?.(),
  };
}

function singleSignOn(backend: SsoBackend, { config, clock, store, logger }: AuthRoutesDependencies) {
  const { enable, sync_remote_groups: follows } = config.rbac;
  const login = createSsoLogin(backend, { store, logger, follows: enable && follows });
  return { login, returnAddresses: returnAddresses(config), grants: terminalGrants(store, clock) };
}

/** The routes of the auth service, for its own listener and for that of an all-in-one (under `/auth/v1`). */
export const authRoutes = (
  tokens: TokenRoutesDependencies & IssuedTokenDependencies,
  sso?: SsoRoutesDependencies,
): Route[] => [...tokenRoutes(tokens), ...issuedTokenRoutes(tokens), ...ssoRoutes(sso), ...terminalLoginRoutes(sso)];
