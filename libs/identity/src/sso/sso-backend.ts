import { fault, type Clock } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';
import { createOidcBackend } from './oidc/oidc-backend';
import { createSamlBackend } from './saml/saml-backend';

/** Logs users in at an identity provider, through their browser. Creating one connects to nothing. */
export interface SsoBackend {
  /** The public address of `/sso/callback`, to which the provider sends the browser back. */
  readonly callbackAddress: string;
  /** Whether it is configured to report the groups of users. */
  readonly givesGroups: boolean;
  /** How the response arrives. With a form of another site (`by-post`), browsers send only cookies with
   * `SameSite=None`. */
  readonly responseComes: 'by-redirect' | 'by-post';
  /**
   * The address at which the browser logs in. The response returns `ssoState` of the secret as `state` or `RelayState`.
   * @param browserSecret random text that only this browser has. Values that belong to this login are derived from it.
   * @throws Fault `auth.sso-unavailable`
   */
  loginAddress(browserSecret: string): Promise<string>;
  /**
   * Checks the response that the provider sent through the browser.
   * @throws Fault `auth.sso-refused`, and `auth.sso-unavailable` if the provider cannot be reached
   */
  verify(response: SsoResponse): Promise<SsoUser>;
}

interface SsoResponse {
  /** Undefined if the browser sent none. */
  readonly browserSecret: string | undefined;
  /** Parameters of the query or the form. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface SsoUser {
  readonly user: string;
  /** Undefined if the backend is not configured to report groups. */
  readonly groups?: readonly string[];
}

type Arguments = Readonly<Record<string, unknown>>;
type SsoBackendFactory = (given: Arguments, deps: SsoBackendDependencies) => SsoBackend;

export interface SsoBackendDependencies {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Pick<Logger, 'info'>;
}

const ssoBackends: Readonly<Record<string, SsoBackendFactory>> = {
  oidc: createOidcBackend,
  saml2: createSamlBackend,
};

/**
 * Creates the backend named by `auth.sso_backend` with the arguments `auth.sso_backend_kwargs`.
 * @throws Fault `config.conflict` for an unknown name or arguments that it does not accept
 */
export function createSsoBackend(name: string, given: Arguments | null, deps: SsoBackendDependencies): SsoBackend {
  const factory = Object.hasOwn(ssoBackends, name) ? ssoBackends[name] : undefined;
  if (factory) return factory(given ?? {}, deps);
  const known = Object.keys(ssoBackends).join(', ');
  const text = `auth.sso = true needs auth.sso_backend. "${name}" is not available, the backends are: ${known}`;
  throw fault('config.conflict', { text });
}
