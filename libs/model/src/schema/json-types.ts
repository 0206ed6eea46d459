import { isPlainObject } from '@switchyard/base';

const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: (value) => typeof value === 'number',
  object: isPlainObject,
  string: (value) => typeof value === 'string',
};

/** Whether a value has a type of the dialect; `any` comes from draft 3 and allows everything. */
export const hasType = (value: unknown, name: string): boolean => tests[name]?.(value) ?? false;

export const isTypeName = (name: unknown): name is string => typeof name === 'string' && Object.hasOwn(tests, name);

/** The type name of a JSON value: `integer` for whole numbers. */
export const typeNameOf = (value: unknown): string =>
  ['integer', ...Object.keys(tests)].find((name) => name !== 'any' && hasType(value, name)) ?? typeof value;

/** The names in a `type` keyword, which is a name or a list. */
export function typeNames(type: unknown): readonly string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((name): name is string => typeof name === 'string') : [];
}

/** Compares JSON values; `true` and `1` differ. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** A text that is equal only for equal JSON values. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isPlainObject(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

/** Whether an object has a defined property of its own; ignores its prototype. */
export const hasProperty = (value: Readonly<Record<string, unknown>>, name: string): boolean =>
  Object.hasOwn(value, name) && value[name] !== undefined;
