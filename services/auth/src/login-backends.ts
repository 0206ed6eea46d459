import { fault, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { trustedProxies } from '@switchyard/http';
import {
  createPasswordBackend,
  createSsoBackend,
  requireGroups,
  type PasswordBackend,
  type PasswordBackends,
  type SsoBackend,
} from '@switchyard/identity';
import type { Logger } from '@switchyard/telemetry';
import { createProxyLogin } from './logins/proxy-login';

export interface LoginBackendsDependencies {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Authentication backends of plug-ins. */
  readonly backends?: PasswordBackends;
}

/** The backends of the configured logins. Without one for passwords, a proxy names the users. */
export interface LoginBackends {
  readonly passwords: PasswordBackend | undefined;
  /** Whether users with a password get the roles of their groups. */
  readonly followsGroups: boolean;
  /** Undefined if single sign-on is off. */
  readonly sso: SsoBackend | undefined;
}

/**
 * Creates the backends of the configured logins, which connects to nothing.
 * @throws Fault `config.conflict` for an unsafe or incomplete configuration
 */
export function createLoginBackends(deps: LoginBackendsDependencies): LoginBackends {
  const { auth, rbac } = deps.config;
  checkAuthConfig(auth);
  const sso = singleSignOn(deps);
  if (auth.mode === 'proxy') {
    createProxyLogin(auth, trustedProxies(auth, 'port'));
    return { passwords: undefined, followsGroups: false, sso };
  }
  const passwords = createPasswordBackend(auth.backend, auth.backend_kwargs, deps.logger, deps.backends);
  // If users of single sign-on have groups, users with a password need none.
  const hasGroups = passwords.groupsOf !== undefined || !sso?.givesGroups;
  const followsGroups = rbac.enable && rbac.sync_remote_groups && hasGroups;
  if (followsGroups) requireGroups(auth.backend, passwords);
  return { passwords, followsGroups, sso };
}

function singleSignOn({ config: { auth, api }, clock, logger }: LoginBackendsDependencies): SsoBackend | undefined {
  const { sso, sso_backend: name, sso_backend_kwargs: given } = auth;
  if (!sso) return undefined;
  const backend = createSsoBackend(name, given, { clock, logger });
  if (backend.responseComes === 'by-post' && !api.auth_cookie_secure) {
    const text = `auth.sso_backend = ${name} needs api.auth_cookie_secure, otherwise browsers drop the cookie of a login`;
    throw fault('config.conflict', { text });
  }
  return backend;
}

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
