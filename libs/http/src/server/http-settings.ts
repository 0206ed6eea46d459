import { MIB } from '@switchyard/base';
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

const MAX_BODY_BYTES = 16 * MIB;

/** The settings that `[api]`, `[auth]`, `[stream]` and `[log]` make. */
export const httpSettings = ({
  api,
  auth,
  stream,
  log,
}: Pick<Config, 'api' | 'auth' | 'stream' | 'log'>): HttpSettings => ({
  allowedOrigins: [...api.allow_origin, ...(auth.api_url === null ? [] : [auth.api_url])],
  cookie: { secure: api.auth_cookie_secure, sameSite: api.auth_cookie_same_site },
  maskedParameters: log.mask_secrets_blacklist,
  maxBodyBytes: MAX_BODY_BYTES,
  heartbeatMs: stream.heartbeat * 1000,
});
