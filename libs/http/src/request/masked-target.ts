import { MASK } from '@switchyard/model';
import { METHODS, type Method, type Route } from '../routing/route';
import type { FoundRoute } from '../routing/route-tree';

const SECRET = [
  'x-auth-token',
  'svc-api-key',
  'st2-api-key',
  'password',
  'auth_token',
  'token',
  'secret',
  'credentials',
  'svc_auth_token',
  'st2_auth_token',
];

/**
 * Masks the values of secret parameters of a query for the log.
 * @param more additional names of secret parameters, from `log.mask_secrets_blacklist`
 */
export function queryMasker(
  more: readonly string[] = [],
): (query: Readonly<Record<string, string>>) => Record<string, string> {
  const secret = new Set([...SECRET, ...more].map((name) => name.toLowerCase()));
  return (query) =>
    Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, secret.has(name.toLowerCase()) ? MASK : value]),
    );
}

const RECORD_ID = /^[0-9a-f]{24}$/;

/**
 * Masks the last segment of a path for the log if it may be a credential. The method of the request does not matter, because
 * requests with a wrong method are logged, too.
 * @param find returns the route of a method at this path
 */
export function maskedPath(path: string, find: (method: Method) => FoundRoute<{ route: Route }> | undefined): string {
  for (const method of METHODS) {
    const found = find(method);
    const name = found?.target.route.secretParameter;
    if (!found || name === undefined || RECORD_ID.test(found.params[name] ?? '')) continue;
    return path.replace(/\/[^/]+\/?$/, `/${MASK}`);
  }
  return path;
}
