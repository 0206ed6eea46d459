import { MASK } from '@switchyard/model';
import { METHODS, type Method, type Route } from '../routing/route';
import type { Found } from '../routing/route-tree';

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
 * A query for the log. Values of secret parameters become eight asterisks.
 * @param more further names, from `log.mask_secrets_blacklist`
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
 * A path for the log. A last segment that may be a credential becomes eight asterisks, whatever the method: a request with a
 * method that the path does not take is logged too.
 * @param find the route of a method at this path
 */
export function maskedPath(path: string, find: (method: Method) => Found<{ route: Route }> | undefined): string {
  for (const method of METHODS) {
    const found = find(method);
    const name = found?.target.route.secretParameter;
    if (!found || name === undefined || RECORD_ID.test(found.params[name] ?? '')) continue;
    return path.replace(/\/[^/]+\/?$/, `/${MASK}`);
  }
  return path;
}
