import { SECOND_MS, type DataLimits } from '@switchyard/base';
import { dataLimits, type Config } from '@switchyard/config';
import type { OpenBodyLimits } from '../request/read-body';
import { trustedProxies, type RequestOrigin } from '../request/trusted-proxies';
import { knownCallers, type KnownCallers } from './admit-request';
import type { ConnectionLimits } from './listen';

/** The configuration of a listener and its application. */
export interface ServerSettings {
  /** Origins from which browsers may call; `*` for any. */
  readonly allowedOrigins: readonly string[];
  readonly cookie: CookieSettings;
  /** Additional names of query parameters whose values are not logged. */
  readonly maskedParameters: readonly string[];
  /** Larger bodies fail with status 413. */
  readonly maxBodyBytes: number;
  /** Limits on the value of a body. */
  readonly data: DataLimits;
  readonly openBodies: OpenBodyLimits;
  readonly connections: ConnectionLimits;
  readonly heartbeatMs: number;
  /** Determines the address of a client, from trusted proxies if there are any. */
  readonly clientAddress: (request: RequestOrigin) => string;
  /** Who may send requests without credentials. Absent if credentials are required. */
  readonly unproven?: KnownCallers;
}

type Sections = Pick<Config, 'api' | 'auth' | 'stream' | 'log' | 'limits' | 'webui'>;

/** Derives the settings from the configuration. @throws Fault `config.conflict` */
export function serverSettings(config: Sections): ServerSettings {
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
    clientAddress: trustedProxies(auth, 'port').clientAddress,
    ...(auth.enable ? {} : { unproven: knownCallers(config) }),
  };
}

export interface CookieSettings {
  readonly secure: boolean;
  /** `unset` leaves the attribute out. */
  readonly sameSite: 'strict' | 'lax' | 'none' | 'unset';
}
