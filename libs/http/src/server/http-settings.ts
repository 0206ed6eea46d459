import type { Config } from '@switchyard/config';
import type { CookieSettings } from '../response/set-cookie';

/** What the host needs to know of the configuration. */
export interface HttpSettings {
  /** Origins that browsers may call from; `*` for any. */
  readonly allowedOrigins: readonly string[];
  readonly cookie: CookieSettings;
  /** Further names of query parameters whose values are not logged. */
  readonly maskedParameters: readonly string[];
  /** Largest body of a request; a larger one is a 413. */
  readonly maxBodyBytes: number;
  readonly heartbeatMs: number;
}

/** The settings that `[api]`, `[auth]`, `[stream]`, `[log]` and `[limits]` make. */
export const httpSettings = ({
  api,
  auth,
  stream,
  log,
  limits,
}: Pick<Config, 'api' | 'auth' | 'stream' | 'log' | 'limits'>): HttpSettings => ({
  allowedOrigins: [...api.allow_origin, ...(auth.api_url === null ? [] : [auth.api_url])],
  cookie: { secure: api.auth_cookie_secure, sameSite: api.auth_cookie_same_site },
  maskedParameters: log.mask_secrets_blacklist,
  maxBodyBytes: limits.max_body_bytes,
  heartbeatMs: stream.heartbeat * 1000,
});
