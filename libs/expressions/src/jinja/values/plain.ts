import { charge } from '../run/budget';
import { dictEntries, isDict, isList } from './collections';
import { JinjaError } from './jinja-error';
import { Float, int, isInt } from './number';
import { toText } from './text';
import { typeName } from './type-name';
import { Undefined } from './undefined';

const DEEPEST = 500;

/**
 * A template's value as JSON data: tuples become lists, dictionaries plain objects with text keys, floats numbers, integers
 * beyond 2^53 stay bigints.
 * @throws JinjaError of kind TypeError for what is no data, such as a method or a namespace
 */
export function toPlain(value: unknown, depth = 0): unknown {
  charge(1);
  if (depth > DEEPEST) throw new JinjaError('RecursionError', 'maximum recursion depth exceeded');
  if (typeof value === 'function') return notData(value);
  if (value === null || typeof value !== 'object') return value === undefined ? null : value;
  if (value instanceof Float) return value.value;
  if (value instanceof Undefined) return value.lenient ? null : value.fail();
  if (isList(value)) return Array.from(value, (item) => toPlain(item, depth + 1));
  if (!isDict(value)) return notData(value);
  return Object.fromEntries(dictEntries(value).map(([key, item]) => [toText(key), toPlain(item, depth + 1)]));
}

/** Refuses what JSON has no form for. */
export function notData(value: unknown): never {
  throw new JinjaError('TypeError', `Object of type ${typeName(value)} is not JSON serializable`);
}

/** The integer argument of a filter or method. @throws TypeError when it is none */
export function intArgument(value: unknown, name: string): number {
  if (typeof value === 'boolean') return Number(value);
  if (isInt(value)) return Number(int(value));
  if (value instanceof Undefined) return value.fail();
  throw new JinjaError('TypeError', `${name} must be an integer`);
}
