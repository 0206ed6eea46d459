import { isPlainObject } from '@switchyard/base';
import { BoundedCache } from '../schema/bounded-cache';
import { MASK } from './mask';

/** Names of fields, headers and query parameters whose values are never shown. Ignores case, `-` and `_`. */
export const secretNames: readonly string[] = [
  'password',
  'auth_token',
  'token',
  'secret',
  'credentials',
  'st2_auth_token',
  'svc_auth_token',
  'x-auth-token',
  'st2-api-key',
  'svc-api-key',
  'api_key',
  'authorization',
  'cookie',
];

const tests = new WeakMap<readonly string[], (name: string) => boolean>();
const noNames: readonly string[] = [];

/**
 * Returns a test for secret names: the built-in ones and those of the configuration (`log.mask_secrets_blacklist`). A name that
 * ends with one of them, such as `db_password`, is secret too. Cached by the list, which must not change afterwards.
 */
export function secretNameTest(extraNames: readonly string[] = noNames): (name: string) => boolean {
  const test = tests.get(extraNames) ?? buildTest(extraNames);
  tests.set(extraNames, test);
  return test;
}

function buildTest(extraNames: readonly string[]): (name: string) => boolean {
  const names = new Set([...secretNames, ...extraNames].map(plain));
  const endings = [...names].map((name) => `_${name}`);
  const verdicts = new BoundedCache<string, { secret: boolean }>(1000);
  const decide = (name: string): boolean => names.has(name) || endings.some((ending) => name.endsWith(ending));
  return (name) => verdicts.get(name, () => ({ secret: decide(plain(name)) })).secret;
}

const plain = (name: string): string => name.toLowerCase().replaceAll('-', '_');

/** Copies the attributes of a log line, masking the values of secret names at every depth, including lists. */
export function maskNames<T>(fields: T, extraNames?: readonly string[]): T {
  return hide(fields, secretNameTest(extraNames), []) as T;
}

function hide(value: unknown, isSecret: (name: string) => boolean, above: readonly unknown[]): unknown {
  if (above.includes(value)) return '[circular]';
  if (Array.isArray(value)) return value.map((item) => hide(item, isSecret, [...above, value]));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isSecret(name) ? MASK : hide(item, isSecret, [...above, value]),
    ]),
  );
}

/** Masks the values of secret names in a query string, or in a URL that ends with one. The rest stays unchanged. */
export function maskQuery(query: string, extraNames?: readonly string[]): string {
  const isSecret = secretNameTest(extraNames);
  return query.replace(/(^|[?&;])([^=&;?#]*)=([^&;#]*)/g, (all: string, before: string, name: string) =>
    isSecret(decoded(name)) ? `${before}${name}=${MASK}` : all,
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
