import { fault, isInexactNumber, messageOf, quoteInexactNumbers } from '@switchyard/base';
import { MASK } from '../masking/mask';
import type { ParameterDefinitions } from '../resources/action';
import { pythonStr, pythonTypeName, pythonRepr } from '../schema';
import { parsePythonLiteral } from './python-literal';

/** The marker that the filter `use_none` leaves in a text for null. */
export const NONE_TEXT = '%*****__%NONE%__*****%';

/**
 * Casts values to the types in their definitions. Null, and values without a definition or type, stay unchanged. Runs before
 * validation, so that `"5"` is accepted for an integer.
 * @throws fault `parameter.cast` or `parameter.not-text` (400) that names the parameter; secret values are masked
 */
export function castParameters(
  values: Readonly<Record<string, unknown>>,
  definitions: ParameterDefinitions,
): Record<string, unknown> {
  const cast = { ...values };
  for (const name of Object.keys(values)) {
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    const value = castOne(name, values[name], definition ?? {});
    if (value !== values[name]) cast[name] = value;
  }
  return cast;
}

function castOne(name: string, value: unknown, definition: ParameterDefinitions[string]): unknown {
  const { type } = definition;
  if (value === NONE_TEXT) return null;
  if (value === null || value === undefined || typeof type !== 'string') return value;
  const shown = definition.secret === true ? MASK : pythonStr(value);
  if (type === 'string') {
    if (typeof value === 'string') return value;
    throw fault('parameter.not-text', { value: shown, type: pythonTypeName(value), name });
  }
  try {
    return castTo(type, value);
  } catch (thrown) {
    const cause = definition.secret === true ? 'not a value of that type' : messageOf(thrown);
    throw fault(
      'parameter.cast',
      { value: shown, valueType: pythonTypeName(value), name, type, cause },
      { cause: thrown },
    );
  }
}

/**
 * Converts a value by the rules of Python's constructors. Types that need no cast, and unknown ones, leave the value unchanged;
 * validation decides. @throws Error with the reason
 */
export function castTo(type: string, value: unknown): unknown {
  const cast = casts[type];
  return cast ? cast(value) : value;
}

const casts: Readonly<Record<string, ((value: unknown) => unknown) | undefined>> = {
  integer: toInteger,
  number: toNumber,
  boolean: (value) => (typeof value === 'string' ? parsePythonLiteral(capitalised(value)) : value),
  array: toStructure,
  object: toStructure,
};

/** Fractions are truncated, and `true` is 1. */
function toInteger(value: unknown): number {
  if (typeof value === 'number') return Math.trunc(value) + 0;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string')
    throw new Error(`int() argument must be a text or a number, not '${pythonTypeName(value)}'`);
  const text = value.trim();
  if (!/^[+-]?\d+(_\d+)*$/.test(text)) throw new Error(`invalid literal for int() with base 10: ${pythonRepr(value)}`);
  const digits = text.replaceAll('_', '');
  if (isInexactNumber(digits)) throw new Error('an integer beyond 2^53 would lose digits');
  return Number(digits) + 0;
}

/** JSON has no infinity, so its spellings are rejected. */
function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string')
    throw new Error(`float() argument must be a text or a number, not '${pythonTypeName(value)}'`);
  const text = value.trim();
  const number = /^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+)?$/i.test(text)
    ? Number(text.replaceAll('_', ''))
    : NaN;
  if (Number.isFinite(number)) return number;
  throw new Error(`could not convert string to float: ${pythonRepr(value)}`);
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();

/**
 * Parses a text as JSON, or else as a Python literal: `[1, 2]`, `{'a': None}`. Numbers that would lose precision become text.
 */
function toStructure(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(quoteInexactNumbers(value)) as unknown;
  } catch {
    return parsePythonLiteral(value);
  }
}
