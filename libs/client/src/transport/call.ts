import type { ClientCredentials, ClientOptions } from '../client-options';

export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** One request, without address and credentials. */
export interface ApiCall {
  readonly service: 'api' | 'auth' | 'stream';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Segments of the path. Each is URL-encoded. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of a body in JSON. */
  readonly text?: string | undefined;
  /** Replaces the caller's other credentials. */
  readonly login?: ClientCredentials | undefined;
  /** Values to mask in messages, besides the caller's credentials. */
  readonly secrets?: readonly string[] | undefined;
  /** Fields of bodies to mask for observers, besides those with well-known secret names. */
  readonly secretNames?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For calls that take longer than others. */
  readonly timeoutMs?: number | undefined;
}

/** The address of a call. Lists are joined with commas; undefined parameters are left out. */
export function callUrl(base: string, { path, query }: Pick<ApiCall, 'path' | 'query'>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const search = parameters.size ? `?${parameters.toString()}` : '';
  return `${base.replace(/\/$/, '')}/${path.map(encodeURIComponent).join('/')}${search}`;
}

/** An address for messages: without user, password and query. */
export function plainAddress(url: string): string {
  try {
    const { origin, pathname } = new URL(url);
    return origin + (pathname === '/' ? '' : pathname);
  } catch {
    return 'the given address';
  }
}

/** The base address of the called service. */
export const baseOf = (options: ClientOptions, { service }: ApiCall): string =>
  ({ api: options.apiUrl, auth: options.authUrl, stream: options.streamUrl })[service];

export function requestInit(options: ClientOptions, call: ApiCall, limit: AbortSignal): RequestInit {
  return {
    method: call.method,
    headers: headersOf(options, call),
    // A redirect would send the credentials to another host.
    redirect: 'manual',
    signal: call.signal ? AbortSignal.any([limit, call.signal]) : limit,
    ...(call.text === undefined && call.body === undefined ? {} : { body: call.text ?? JSON.stringify(call.body) }),
  };
}

export function headersOf(options: ClientOptions, call: ApiCall): Record<string, string> {
  const basic = call.login ?? options.basicAuth;
  return {
    accept: call.service === 'stream' ? 'text/event-stream' : 'application/json, text/plain',
    ...contentType(call),
    ...(basic ? { authorization: basicHeader(basic) } : {}),
    ...(call.login ? {} : credentialHeader(options)),
  };
}

/** Even without a body: servers that need no credentials reject writes that a form on a website could send. */
function contentType({ method, body, text }: ApiCall): Record<string, string> {
  if (text !== undefined) return { 'content-type': 'text/plain' };
  return body === undefined && !WRITES.has(method) ? {} : { 'content-type': 'application/json' };
}

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT']);

/** The services reject requests with two kinds of credentials. A token takes precedence. */
function credentialHeader({ token, apiKey }: ClientOptions): Record<string, string> {
  if (token !== undefined) return { 'x-auth-token': token };
  return apiKey === undefined ? {} : { 'st2-api-key': apiKey };
}

const basicHeader = ({ user, password }: ClientCredentials): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Moves a login inside an address (`https://user:password@host`), which fetch rejects, to `basicAuth`. */
export function withoutUserinfo(options: ClientOptions): ClientOptions {
  const [apiUrl, authUrl, streamUrl] = [options.apiUrl, options.authUrl, options.streamUrl].map(splitAddress);
  if (!apiUrl || !authUrl || !streamUrl) return options;
  const basicAuth = options.basicAuth ?? apiUrl.login ?? authUrl.login ?? streamUrl.login;
  return { ...options, basicAuth, apiUrl: apiUrl.address, authUrl: authUrl.address, streamUrl: streamUrl.address };
}

function splitAddress(url: string): { address: string; login?: ClientCredentials } {
  if (!URL.canParse(url)) return { address: url };
  const parts = new URL(url);
  if (parts.username === '') return { address: url };
  const login = { user: decodeURIComponent(parts.username), password: decodeURIComponent(parts.password) };
  parts.username = parts.password = '';
  return { address: parts.href, login };
}
