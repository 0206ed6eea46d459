import { isPlainObject } from '@switchyard/base';

type Values = Readonly<Record<string, unknown>>;

/** Puts values on a map that the caller owns: maps are merged key by key, everything else is replaced. */
export function mergeInto(target: Record<string, unknown>, values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    const before = Object.hasOwn(target, name) ? target[name] : undefined;
    define(target, name, isPlainObject(before) && isPlainObject(value) ? merged(before, value) : value);
  }
}

function merged(base: Values, values: Values): Values {
  const target = { ...base };
  mergeInto(target, values);
  return target;
}

/** Assignment, but for the one name that assignment does not store. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}
