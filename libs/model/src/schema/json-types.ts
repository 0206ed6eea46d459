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

/** Whether a value is of a type of the dialect; `any` is draft 3's, and admits everything. */
export const hasType = (value: unknown, name: string): boolean => tests[name]?.(value) ?? false;

export const isTypeName = (name: unknown): name is string => typeof name === 'string' && Object.hasOwn(tests, name);

/** The names in a `type` keyword, which is one name or a list. */
export function typeNames(type: unknown): readonly string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((name): name is string => typeof name === 'string') : [];
}

/** Equality of JSON values; `true` and `1` differ. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** A text that is the same for equal JSON values and for those only. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isPlainObject(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

/** A property that is there, whatever a prototype might add. */
export const hasProperty = (value: Readonly<Record<string, unknown>>, name: string): boolean =>
  Object.hasOwn(value, name) && value[name] !== undefined;
