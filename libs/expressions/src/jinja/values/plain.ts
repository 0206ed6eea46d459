import { charge } from '../run/budget';
import { jinjaDictEntries, isJinjaDict, isJinjaList, jinjaTypeName } from './collections';
import { JinjaError } from './jinja-error';
import { Float, asInt, isInt } from './number';
import { toText } from './text';
import { Undefined } from './undefined';

const DEEPEST = 500;

/**
 * Converts a template value to JSON data: tuples become lists, dictionaries plain objects with text keys, floats
 * numbers; integers beyond 2^53 stay bigints.
 * @throws JinjaError of kind TypeError for values that are not data, such as a method or a namespace
 */
export const plainFromJinja = (value: unknown): unknown => plainAt(value, 0, false);

/** The same with floats such as 2.0 as they are. */
export const exactFromJinja = (value: unknown): unknown => plainAt(value, 0, true);

function plainAt(value: unknown, depth: number, exact: boolean): unknown {
  charge(1);
  if (depth > DEEPEST) throw new JinjaError('RecursionError', 'maximum recursion depth exceeded');
  if (typeof value === 'function') return notData(value);
  if (value === null || typeof value !== 'object') return value === undefined ? null : value;
  if (value instanceof Float) return exact ? value : value.value;
  if (value instanceof Undefined) return value.lenient ? null : value.fail();
  if (isJinjaList(value)) return Array.from(value, (item) => plainAt(item, depth + 1, exact));
  if (!isJinjaDict(value)) return notData(value);
  return Object.fromEntries(
    jinjaDictEntries(value).map(([key, item]) => [toText(key), plainAt(item, depth + 1, exact)]),
  );
}

/** Refuses a value that JSON cannot represent. */
export function notData(value: unknown): never {
  throw new JinjaError('TypeError', `Object of type ${jinjaTypeName(value)} is not JSON serializable`);
}

/** The integer argument of a filter or method. @throws TypeError for other values */
export function intArgument(value: unknown, name: string): number {
  if (typeof value === 'boolean') return Number(value);
  if (isInt(value)) return Number(asInt(value));
  if (value instanceof Undefined) return value.fail();
  throw new JinjaError('TypeError', `${name} must be an integer`);
}
