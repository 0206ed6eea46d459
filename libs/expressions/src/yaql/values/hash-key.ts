import { isPlainObject } from '@switchyard/base';
import { Float } from '../../jinja/values/number';
import { budget, recursionExceeded } from '../run/budget';

/** The method by which values compared by content encode it; `encode` handles inner values. */
export const CONTENT = Symbol('content');

export interface ByContent {
  /** Undefined: compare this value by identity. */
  [CONTENT](encode: (inner: unknown) => string): string | undefined;
}

/** Prefix of composite keys. Texts that start with it are escaped, so that the two never collide. */
const MARK = '\0';

/**
 * The hash key of a value in dictionaries and sets; equal values have equal keys. 1, 1.0 and true are the same; lists,
 * dictionaries and sets are compared by content, anything else by identity.
 */
export function hashKey(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return value.charCodeAt(0) === 0 ? `${MARK}s${value}` : value;
    case 'number':
      return numberKey(value);
    case 'boolean':
      return value ? 1 : 0;
    case 'object':
      if (value === null) return null;
      return value instanceof Float ? numberKey(value.value) : compositeKey(value);
    default:
      return value ?? null;
  }
}

const numberKey = (value: number): number | bigint =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value;

function compositeKey(value: object): unknown {
  const content = contentOf(value, 0);
  return content === undefined ? value : MARK + content;
}

const DEEPEST = 500;

function contentOf(value: object, depth: number): string | undefined {
  if (depth > DEEPEST) throw recursionExceeded();
  const encode = (inner: unknown): string => spelled(inner, depth + 1);
  if (Array.isArray(value)) return `[${value.map(encode).join()}]`;
  if (isPlainObject(value)) return entriesContent(Object.entries(value), encode);
  return (value as Partial<ByContent>)[CONTENT]?.(encode);
}

/** Sorted, since the order of keys does not matter for equality. */
export const entriesContent = (
  entries: Iterable<readonly [unknown, unknown]>,
  encode: (inner: unknown) => string,
): string => `{${Array.from(entries, ([key, item]) => `${encode(key)}:${encode(item)}`).sort().join()}}`; // oxfmt-ignore

function spelled(value: unknown, depth: number): string {
  budget().spend(1);
  if (typeof value === 'object' && value !== null && !(value instanceof Float)) {
    return contentOf(value, depth) ?? `#${identity(value)}`;
  }
  const key = hashKey(value);
  if (typeof key !== 'string') return String(key);
  budget().text(key.length);
  return JSON.stringify(key);
}

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

function identity(value: object): number {
  const known = identities.get(value);
  if (known !== undefined) return known;
  lastIdentity += 1;
  identities.set(value, lastIdentity);
  return lastIdentity;
}
