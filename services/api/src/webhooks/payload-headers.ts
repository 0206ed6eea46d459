import type { RouteRequest } from '@switchyard/http';

/** Headers with credentials, or meant only for this API: rules and their records never get them. */
const WITHHELD: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-auth-token',
  'st2-api-key',
  'svc-api-key',
  'st2-trace-tag',
  'svc-trace-tag',
];

interface PayloadHeaders {
  /** `Content-Type`. */
  readonly headers: Record<string, string>;
  /** `content-type`. */
  readonly headers_lower: Record<string, string>;
}

/** The headers of a request as rules see them. */
export function payloadHeaders({ headers, requestId }: Pick<RouteRequest, 'headers' | 'requestId'>): PayloadHeaders {
  const given = Object.entries({ ...headers, 'x-request-id': requestId })
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    .filter(([name]) => !WITHHELD.includes(name));
  return {
    headers: Object.fromEntries(given.map(([name, value]) => [titleCase(name), value])),
    headers_lower: Object.fromEntries(given),
  };
}

const titleCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
