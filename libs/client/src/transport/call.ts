import type { BasicCredentials } from '../client-options';

export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** One request, before addresses and credentials are added. */
export interface Call {
  readonly service: 'api' | 'auth' | 'stream';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parts of the path; each is encoded. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Takes the place of the caller's other credentials. */
  readonly login?: BasicCredentials | undefined;
  /** Values that may not show up in a message, besides the caller's credentials. */
  readonly secrets?: readonly string[] | undefined;
  /** Members of bodies that an observer is not shown, besides those whose names always say that they are secret. */
  readonly secretNames?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For what takes longer than other calls. */
  readonly timeoutMs?: number | undefined;
}

/** The address of a call. Lists become comma lists, what is undefined is left out. */
export function callUrl(base: string, { path, query }: Pick<Call, 'path' | 'query'>): string {
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
