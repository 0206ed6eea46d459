import { SECOND_MS, type DataLimits } from '@switchyard/base';
import { dataLimits, type Config } from '@switchyard/config';
import type { OpenBodyLimits } from '../request/open-bodies';
import type { CookieSettings } from '../response/set-cookie';
import type { ConnectionLimits } from './connection-limits';
import { knownCallers, type KnownCallers } from './known-callers';

/** What the host needs to know of the configuration. */
export interface HttpSettings {
  /** Origins that browsers may call from; `*` for any. */
  readonly allowedOrigins: readonly string[];
  readonly cookie: CookieSettings;
  /** Further names of query parameters whose values are not logged. */
  readonly maskedParameters: readonly string[];
  /** Largest body of a request; a larger one is a 413. */
  readonly maxBodyBytes: number;
  /** What the value of a body may be. */
  readonly data: DataLimits;
  readonly openBodies: OpenBodyLimits;
  readonly connections: ConnectionLimits;
  readonly heartbeatMs: number;
  /** Who may come without credentials; absent while everybody needs some. */
  readonly unproven?: KnownCallers;
}

type Sections = Pick<Config, 'api' | 'auth' | 'stream' | 'log' | 'limits' | 'webui'>;

/** The settings that `[api]`, `[auth]`, `[stream]`, `[log]` and `[limits]` make. */
export function httpSettings(config: Sections): HttpSettings {
  const { api, auth, stream, log, limits } = config;
  return {
    allowedOrigins: [...api.allow_origin, ...(auth.api_url === null ? [] : [auth.api_url])],
    cookie: { secure: api.auth_cookie_secure, sameSite: api.auth_cookie_same_site },
    maskedParameters: log.mask_secrets_blacklist,
    maxBodyBytes: limits.max_body_bytes,
    data: dataLimits({ limits }),
    openBodies: {
      maxBytes: limits.max_open_body_bytes,
      maxBytesPerAddress: limits.max_open_body_bytes_per_address,
    },
    connections: {
      max: limits.max_connections,
      maxPerAddress: limits.max_connections_per_address,
      requestTimeoutMs: limits.request_timeout * SECOND_MS,
    },
    heartbeatMs: stream.heartbeat * SECOND_MS,
    ...(auth.enable ? {} : { unproven: knownCallers(config) }),
  };
}
