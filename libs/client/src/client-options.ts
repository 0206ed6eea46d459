import type { Observer } from './transport/observer';

/** Where the services are and who is calling. Addresses include the version: `https://host/api/v1`. */
export interface ClientOptions {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly streamUrl: string;
  readonly token?: string | undefined;
  readonly apiKey?: string | undefined;
  /** For a proxy in front of the services. The login of a single call replaces it. */
  readonly basicAuth?: ClientCredentials | undefined;
  /** PEM file with the certificates to trust instead of those that Node.js trusts. */
  readonly caFile?: string | undefined;
  /** `false` accepts any certificate. The default is `true`. */
  readonly verifyTls?: boolean | undefined;
  readonly proxy?: ClientProxy | undefined;
  /** Limit for one request and its response. For streams it applies until the first byte. */
  readonly timeoutMs?: number | undefined;
  /** Receives each request and response, without secrets. */
  readonly observer?: Observer | undefined;
}

export interface ClientCredentials {
  readonly user: string;
  readonly password: string;
}

/** Addresses of HTTP proxies; `bypass` is a comma-separated list of hosts. Loopback addresses always bypass proxies. */
export interface ClientProxy {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  readonly bypass?: string | undefined;
}
