import { fault } from '@switchyard/base';
import { MASK } from '@switchyard/model';
import { METHODS, type Method, type Route } from '../routing/route';
import type { FoundRoute } from '../routing/route-tree';

/** Path and query of a request line, not decoded. */
interface RequestTarget {
  readonly rawPath: string;
  readonly rawQuery: string;
}

export function requestTarget(url: string): RequestTarget {
  const mark = url.indexOf('?');
  return mark < 0 ? { rawPath: url, rawQuery: '' } : { rawPath: url.slice(0, mark), rawQuery: url.slice(mark + 1) };
}

/**
 * The segments of a path. The path is decoded as a whole, so an escaped slash separates segments, too. One trailing slash is
 * dropped.
 * @throws Fault `request.path`
 */
export function pathSegments(rawPath: string): string[] {
  const path = rawPath.includes('%') ? decodedPath(rawPath) : rawPath;
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  return end <= 0 ? [] : path.slice(1, end).split('/');
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    throw fault('request.path', { path }, { cause: error });
  }
}

/** Decoded query values by name; the last one of a name wins. It has no prototype, so that no name is special. */
export type QueryTexts = Readonly<Record<string, string>>;

const EMPTY: QueryTexts = Object.freeze(Object.create(null) as QueryTexts);

/** @throws Fault `request.query` if the query is not UTF-8 or has invalid escapes */
export function queryTexts(rawQuery: string): QueryTexts {
  if (rawQuery === '') return EMPTY;
  const texts = Object.create(null) as Record<string, string>;
  for (const pair of rawQuery.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    texts[decodedText(name, name)] = equals < 0 ? '' : decodedText(pair.slice(equals + 1), name);
  }
  return texts;
}

function decodedText(text: string, name: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch (error) {
    throw fault('request.query', { name }, { cause: error });
  }
}

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
