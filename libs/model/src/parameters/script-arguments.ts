import { isPlainObject } from '@switchyard/base';
import type { ParameterDefinitions } from '../resources/action';
import { pythonStr } from '../schema';

/**
 * The arguments of a script: named ones (`<kwargOp><name>=<value>`) in the order of `values`, then positional ones. Does not
 * quote anything. A positional argument without a value is empty.
 * @param definitions the action's parameters @param values the action's values, as returned by `splitParameters`
 */
export function scriptArguments(
  definitions: ParameterDefinitions,
  values: Readonly<Record<string, unknown>>,
  kwargOp = '--',
): string[] {
  const named = Object.entries(values).flatMap(([name, value]) =>
    isPositional(definitions, name) ? [] : namedArgument(name, value, definitions[name]?.type, kwargOp),
  );
  const positional = Object.entries(definitions)
    .filter(([name]) => Object.hasOwn(values, name) && isPositional(definitions, name))
    .toSorted(([, a], [, b]) => Number(a.position) - Number(b.position))
    .map(([name, { type }]) => positionalArgument(values[name], type));
  return [...named, ...positional];
}

const isPositional = (definitions: ParameterDefinitions, name: string): boolean =>
  Object.hasOwn(definitions, name) && typeof definitions[name]?.position === 'number';

/** Nothing for null, an empty text and false; only the name for true. A list becomes Python text, an object JSON. */
function namedArgument(name: string, value: unknown, type: unknown, kwargOp: string): string[] {
  if (value === null || value === undefined || value === '' || value === false) return [];
  if (value === true) return [kwargOp + name];
  return [`${kwargOp}${name}=${isPlainObject(value) ? JSON.stringify(value) : plainText(value, type)}`];
}

function positionalArgument(value: unknown, type: unknown): string {
  if (value === null || value === undefined) return '';
  if (type === 'boolean' && typeof value === 'boolean') return value ? '1' : '0';
  if (type === 'array' && Array.isArray(value)) return value.map(pythonStr).join(',');
  if (isPlainObject(value)) return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
  // For compatibility, untyped values that are false in Python are empty, except the number 0.
  if (value === false || (Array.isArray(value) && value.length === 0)) return '';
  return plainText(value, type);
}

/** A `number` is a floating-point number in Python, so 3 becomes `3.0`. */
const plainText = (value: unknown, type: unknown): string =>
  type === 'number' && Number.isInteger(value) && Math.abs(value as number) < 1e16
    ? `${String(value)}.0`
    : pythonStr(value);
