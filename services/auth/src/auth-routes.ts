import { fault, type Clock } from '@switchyard/base';
import { addresses, type Config } from '@switchyard/config';
import { knownCallers, trustedProxies, type Route, type TrustedProxies } from '@switchyard/http';
import {
  createPasswordBackend,
  createPasswordLogin,
  createSsoBackend,
  followingGroups,
  type Identities,
  type PasswordBackends,
} from '@switchyard/identity';
import type { Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
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

export interface AuthRoutesDependencies {
  readonly config: Config;
  readonly identities: Identities;
  readonly store: Pick<Store, 'roleAssignments' | 'groupMappings' | 'loginFailures' | 'loginGrants'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Authentication backends of plug-ins. */
  readonly backends?: PasswordBackends;
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
  checkAuthConfig(config.auth);
  const sso = singleSignOn(deps);
  const { loginOf, close } =
    config.auth.mode === 'proxy' ? proxyLogins(config) : standaloneLogins(deps, sso?.login.givesGroups ?? false);
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

/** @param othersHaveGroups whether users of single sign-on have groups. If so, users with a password need none. */
function standaloneLogins(
  { config, clock, logger, store, backends }: AuthRoutesDependencies,
  othersHaveGroups: boolean,
): Logins {
  const { backend: name, backend_kwargs: given } = config.auth;
  const checking = createPasswordBackend(name, given, logger, backends);
  const { enable, sync_remote_groups: follows } = config.rbac;
  const hasGroups = checking.groupsOf !== undefined || !othersHaveGroups;
  const backend = enable && follows && hasGroups ? followingGroups(name, checking, { store, logger }) : checking;
  const login = createPasswordLogin(backend, { store, clock });
  const known = knownCallers(config);
  return {
    loginOf: (proxies) => createStandaloneLogin(login, known, proxies),
    close: async () => backend.close?.(),
  };
}

/** @returns undefined if single sign-on is off. @throws Fault `config.conflict` */
function singleSignOn({ config, clock, store, logger }: AuthRoutesDependencies) {
  const { sso, sso_backend: name, sso_backend_kwargs: given } = config.auth;
  if (!sso) return undefined;
  const { enable, sync_remote_groups: follows } = config.rbac;
  const login = createSsoLogin(createSsoBackend(name, given, { clock, logger }), {
    store,
    logger,
    follows: enable && follows,
  });
  if (login.responseComes === 'by-post' && !config.api.auth_cookie_secure) {
    const text = `auth.sso_backend = ${name} needs api.auth_cookie_secure, otherwise browsers drop the cookie of a login`;
    throw fault('config.conflict', { text });
  }
  return { login, returnAddresses: returnAddresses(config), grants: terminalGrants(store, clock) };
}

/** The routes of the auth service, for its own listener and for that of an all-in-one (under `/auth/v1`). */
export const authRoutes = (
  tokens: TokenRoutesDependencies & IssuedTokenDependencies,
  sso?: SsoRoutesDependencies,
): Route[] => [...tokenRoutes(tokens), ...issuedTokenRoutes(tokens), ...ssoRoutes(sso), ...terminalLoginRoutes(sso)];

/**
 * Refuses to start with an unsafe or incomplete configuration. In proxy mode the user's name is sent in a header, which
 * anybody with access to the port could send. @throws Fault `config.conflict`
 */
export function checkAuthConfig(auth: Config['auth']): void {
  const { mode, use_ssl: tls, cert, key, trusted_proxies: proxies, proxy_socket: socket } = auth;
  if (mode === 'proxy' && proxies.length === 0 && socket === null) {
    const text =
      'auth.mode = proxy needs auth.trusted_proxies or auth.proxy_socket, otherwise anybody could log in as any user';
    throw fault('config.conflict', { text });
  }
  if (tls && (!cert || !key)) throw fault('config.conflict', { text: 'auth.use_ssl needs auth.cert and auth.key' });
}
