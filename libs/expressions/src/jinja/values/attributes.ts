import { filterOperation, type Operations, findOperation, type Operation } from '../run/operation';
import { asNumber, isFloat, type Numeric, isInt, isNumber } from './number';
import { dictMethods } from '../methods/dict-methods';
import { listMethods } from '../methods/list-methods';
import { textMethods } from '../methods/text-methods';
import { chargeFor, chargeResult } from '../run/budget';
import type { Callable, JinjaRendering } from '../run/run';
import {
  jinjaDictGet,
  jinjaDictHas,
  isJinjaDict,
  isJinjaList,
  Tuple,
  tuple,
  ownerName,
  jinjaTypeName,
} from './collections';
import { JinjaError } from './jinja-error';
import { intArgument } from './plain';
import { chars } from './sequence';
import { repr } from './text';
import { Undefined } from './undefined';

/** The number methods that are useful in a template. */
const numberMethods: Operations = {
  is_integer: filterOperation([], (value: Numeric) => !isFloat(value) || Number.isInteger(asNumber(value))),
  bit_length: filterOperation([], (value: Numeric) => {
    const whole = BigInt(Math.trunc(asNumber(value)));
    return whole === 0n ? 0 : (whole < 0n ? -whole : whole).toString(2).length;
  }),
};

/** Objects with their own attributes: `loop`, namespaces, cyclers. */
interface Attributed {
  attribute(name: string): unknown;
}

const isAttributed = (value: unknown): value is Attributed =>
  (typeof value === 'object' || typeof value === 'function') &&
  value !== null &&
  typeof (value as Partial<Attributed>).attribute === 'function';

/** `value.name`. A dictionary's key takes precedence over a method of that name, unless the attribute is called. */
export function getAttribute(value: unknown, name: string, run: JinjaRendering, called = false): unknown {
  if (value instanceof Undefined) return value.fail();
  if (isJinjaDict(value)) return dictAttribute(value, name, run, called);
  if (isAttributed(value)) {
    const found = value.attribute(name);
    return found === undefined ? missing(value, name, run) : found;
  }
  if (name.startsWith('__')) {
    throw new JinjaError(
      'SecurityError',
      `access to attribute '${name}' of '${jinjaTypeName(value)}' object is unsafe.`,
    );
  }
  if (value instanceof Tuple && value.fields !== undefined && Object.hasOwn(value.fields, name))
    return value.fields[name];
  return method(methodsOf(value), name, value) ?? missing(value, name, run);
}

function dictAttribute(
  value: Record<string, unknown> | Map<unknown, unknown>,
  name: string,
  run: JinjaRendering,
  called: boolean,
) {
  const bound = called ? method(dictMethods, name, value) : undefined;
  if (bound !== undefined) return bound;
  if (jinjaDictHas(value, name)) return jinjaDictGet(value, name) ?? null;
  return method(dictMethods, name, value) ?? missing(value, name, run);
}

function methodsOf(value: unknown): Operations {
  if (typeof value === 'string') return textMethods;
  if (isJinjaList(value)) return listMethods;
  return isNumber(value) ? numberMethods : {};
}

function method(table: Operations, name: string, subject: unknown): Callable | undefined {
  const found: Operation | undefined = findOperation(table, name);
  if (found === undefined) return undefined;
  return (args, named, run) => {
    if (typeof subject === 'string') chargeFor(subject);
    return chargeResult(found(run, subject, args, named));
  };
}

function missing(value: unknown, key: unknown, run: JinjaRendering): Undefined {
  const owner = ownerName(value);
  const message =
    typeof key === 'string' ? `'${owner}' has no attribute ${repr(key)}` : `${owner} has no element ${repr(key)}`;
  return new Undefined(message, run.lenient);
}

/** `value[key]`: an element, a key, or an attribute when the key is a text. */
export function getItem(value: unknown, key: unknown, run: JinjaRendering): unknown {
  if (value instanceof Undefined) return value.fail();
  if (key instanceof Undefined) return key.fail();
  if (isJinjaDict(value)) {
    if (jinjaDictHas(value, key)) return jinjaDictGet(value, key) ?? null;
    return typeof key === 'string'
      ? (method(dictMethods, key, value) ?? missing(value, key, run))
      : missing(value, key, run);
  }
  if (typeof key === 'string') return getAttribute(value, key, run);
  if ((isJinjaList(value) || typeof value === 'string') && (isInt(key) || typeof key === 'boolean')) {
    if (typeof value === 'string') chargeFor(value);
    const items = typeof value === 'string' ? chars(value) : value;
    const index = intArgument(key, 'index');
    const at = index < 0 ? index + items.length : index;
    if (at >= 0 && at < items.length) return items[at] ?? null;
  }
  return missing(value, key, run);
}

/** `value[start:stop:step]` of a text or a list. */
export function getSlice(value: unknown, start: unknown, stop: unknown, step: unknown): unknown {
  if (value instanceof Undefined) return value.fail();
  if (typeof value !== 'string' && !isJinjaList(value)) {
    throw new JinjaError('TypeError', `'${jinjaTypeName(value)}' object is not subscriptable`);
  }
  const items = sliceItems(typeof value === 'string' ? chars(value) : value, start, stop, step);
  if (typeof value === 'string') return items.join('');
  return value instanceof Tuple ? tuple(items) : items;
}

function sliceItems(items: readonly unknown[], start: unknown, stop: unknown, step: unknown): unknown[] {
  chargeFor(items);
  const by = step === null ? 1 : intArgument(step, 'slice step');
  if (by === 0) throw new JinjaError('ValueError', 'slice step cannot be zero');
  const clamp = (bound: unknown, fallback: number) => {
    if (bound === null) return fallback;
    const index = intArgument(bound, 'slice indices');
    const from = index < 0 ? index + items.length : index;
    return by > 0 ? Math.min(Math.max(from, 0), items.length) : Math.min(Math.max(from, -1), items.length - 1);
  };
  const first = clamp(start, by > 0 ? 0 : items.length - 1);
  const end = clamp(stop, by > 0 ? items.length : -1);
  const result: unknown[] = [];
  for (let at = first; by > 0 ? at < end : at > end; at += by) result.push(items[at]);
  return result;
}
