import type { Observer } from './transport/observer';

/** Where the services are and how a caller proves who it is. Addresses go with their version: `https://host/api/v1`. */
export interface ClientOptions {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly streamUrl: string;
  readonly token?: string | undefined;
  readonly apiKey?: string | undefined;
  /** For a proxy in front of the services; a login of its own takes the place of these. */
  readonly basicAuth?: BasicCredentials | undefined;
  /** PEM file with the certificates to trust instead of those that Node.js knows. */
  readonly caFile?: string | undefined;
  /** False accepts any certificate. True unless given. */
  readonly verifyTls?: boolean | undefined;
  readonly proxy?: ProxySettings | undefined;
  /** For one request and its answer; streams have it until their first byte. */
  readonly timeoutMs?: number | undefined;
  /** Told of each request and answer, without secrets. */
  readonly observer?: Observer | undefined;
}

export interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/** Addresses of HTTP proxies; `bypass` is a comma separated list of hosts. Loopback addresses never go through one. */
export interface ProxySettings {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  readonly bypass?: string | undefined;
}
