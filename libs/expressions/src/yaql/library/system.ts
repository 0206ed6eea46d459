import { camelCase } from '../run/camel-case';
import { planFunction, planMethod } from '../run/call-function';
import { valueArgument } from '../run/argument';
import type { Frame, Lambda } from '../run/frame';
import { define, type Overload } from '../run/overload';
import { type DictLike, dictEntries } from '../values/dict';
import { valueError, YaqlFailure } from '../values/failure';
import { stringOf } from '../values/text';
import { truth } from '../values/truth';

const inFrame = { wantsFrame: true };

export const systemFunctions: readonly Overload[] = [
  define('let', 'F', '*args:any, **', (frame: Frame, args: readonly unknown[], named: ReadonlyMap<string, unknown>) =>
    frame.child(args, named), inFrame),
  define('with', 'F', '*args:any', (frame: Frame, args: readonly unknown[]) => frame.child(args), inFrame),
  define('unpack', 'M', 'sequence:iter, *args:str', unpack, inFrame),
  define('def', 'F', 'name:str, func:fn', (_frame: Frame, name: string, body: Lambda) =>
    body.define(camelCase(name)), inFrame),
  define('assert', 'M', 'obj:any, condition:fn, message:str="Assertion failed"', (value: unknown, condition: Lambda, message: string) => {
    if (truth(condition.call(value))) return value;
    throw new YaqlFailure('AssertionError', message);
  }),
  define('call', 'F', 'name:str, args:iter, kwargs:dict, receiver:any=none', call, inFrame),
]; // prettier-ignore

function unpack(frame: Frame, items: Iterable<unknown>, names: readonly string[]): Frame {
  const values = Array.from(items);
  if (names.length === 0) return frame.child(values);
  if (values.length !== names.length) {
    throw valueError(`Cannot unpack ${values.length} elements into ${names.length}`);
  }
  return frame.child([], new Map(names.map((name, index) => [name.replace(/^\$/, ''), values[index]])));
}

/** Calls a function by name, with a receiver a method. */
function call(frame: Frame, name: string, args: Iterable<unknown>, named: DictLike, receiver: unknown): unknown {
  const rules = Array.from(dictEntries(named), ([key, value]) => ({
    key: { ...valueArgument(key), word: stringOf(key) },
    value: valueArgument(value),
  }));
  const list = { positional: Array.from(args, valueArgument), rules };
  const { library } = frame.world;
  if (receiver === undefined) return planFunction(name, list, library)(frame);
  return planMethod(name, list, library)(frame, receiver);
}
