import { camelCase, planFunction, planMethod } from '../run/call-function';
import { valueArgument } from '../run/bind';
import type { Frame, Lambda, RuleArgument } from '../run/frame';
import { define, type Overload } from '../run/overload';
import { type DictLike, yaqlDictEntries } from '../values/dict';
import { valueError, YaqlFailure } from '../values/failure';
import { stringOf } from '../values/text';
import { yaqlTruth } from '../values/kinds';
import { Lazy } from '../values/collections';
import { element, elementOr } from '../run/access';
import { binaryOperation, binaryOperators, operatorName, unaryOperation, unaryOperators } from '../run/operators';

const inFrame = { wantsFrame: true };

export const systemFunctions: readonly Overload[] = [
  define('let', 'F', '*args:any, **', (frame: Frame, args: readonly unknown[], named: ReadonlyMap<string, unknown>) =>
    frame.child(args, named), inFrame),
  define('with', 'F', '*args:any', (frame: Frame, args: readonly unknown[]) => frame.child(args), inFrame),
  define('unpack', 'M', 'sequence:iter, *args:str', unpack, inFrame),
  define('def', 'F', 'name:str, func:fn', (_frame: Frame, name: string, body: Lambda) =>
    body.define(camelCase(name)), inFrame),
  define('assert', 'M', 'obj:any, condition:fn, message:str="Assertion failed"', (value: unknown, condition: Lambda, message: string) => {
    if (yaqlTruth(condition.call(value))) return value;
    throw new YaqlFailure('AssertionError', message);
  }),
  define('call', 'F', 'name:str, args:iter, kwargs:dict, receiver:any=none', call, inFrame),
]; // oxfmt-ignore

function unpack(frame: Frame, items: Iterable<unknown>, names: readonly string[]): Frame {
  const values = Array.from(items);
  if (names.length === 0) return frame.child(values);
  if (values.length !== names.length) {
    throw valueError(`Cannot unpack ${values.length} elements into ${names.length}`);
  }
  return frame.child([], new Map(names.map((name, index) => [name.replace(/^\$/, ''), values[index]])));
}

/** Calls a function by name, or a method if there is a receiver. */
function call(frame: Frame, name: string, args: Iterable<unknown>, named: DictLike, receiver: unknown): unknown {
  const rules = Array.from(yaqlDictEntries(named), ([key, value]) => ({
    key: { ...valueArgument(key), word: stringOf(key) },
    value: valueArgument(value),
  }));
  const list = { positional: Array.from(args, valueArgument), rules };
  const { library } = frame.world;
  if (receiver === undefined) return planFunction(name, list, library)(frame);
  return planMethod(name, list, library)(frame, receiver);
}

export const booleanFunctions: readonly Overload[] = [
  define('bool', 'F', 'value:any', yaqlTruth),
  define('isBoolean', 'F', 'value:any', (value: unknown) => typeof value === 'boolean'),
];

export const branchingFunctions: readonly Overload[] = [
  define('switch', 'F', '*args:rule', firstThatHolds, { takesRules: true }),
  define('selectCase', 'F', '*args:fn', (cases: readonly Lambda[]) => {
    const index = cases.findIndex((each) => yaqlTruth(each.call()));
    return index < 0 ? cases.length : index;
  }),
  define('selectAllCases', 'F', '*args:fn', (cases: readonly Lambda[]) => new Lazy(allThatHold(cases))),
  define('examine', 'F', '*args:fn', (cases: readonly Lambda[]) => new Lazy(examined(cases))),
  define('switchCase', 'M', 'case:count, *args:fn', (index: number, cases: readonly Lambda[]) => {
    const chosen = cases[index] ?? cases.at(-1);
    return chosen === undefined ? null : chosen.call();
  }),
  define('coalesce', 'F', '*args:fn', (args: readonly Lambda[]) => {
    for (const each of args) {
      const value = each.call();
      if (value !== null) return value;
    }
    return null;
  }),
];

function firstThatHolds(rules: readonly RuleArgument[]): unknown {
  for (const { key, value } of rules) if (yaqlTruth(key.call())) return value.call();
  return null;
}

function* allThatHold(cases: readonly Lambda[]): Generator<unknown> {
  for (const [index, each] of cases.entries()) if (yaqlTruth(each.call())) yield index;
}

function* examined(cases: readonly Lambda[]): Generator<unknown> {
  for (const each of cases) yield yaqlTruth(each.call());
}

/** The operators by the names that `call` uses. */
export const operatorFunctions: readonly Overload[] = [
  ...binaryOperators.map((name) => define(operatorName(name), 'F', 'left:any, right:any', binaryOperation(name))),
  ...unaryOperators.map((name) => define(`#unary_operator_${name}`, 'F', 'operand:any', unaryOperation(name))),
  define('#unary_operator_not', 'F', 'operand:any', (value: unknown) => !yaqlTruth(value)),
  define('#operator_and', 'F', 'left:fn, right:fn', (left: Lambda, right: Lambda) => {
    const value = left.call();
    return yaqlTruth(value) ? right.call() : value;
  }),
  define('#operator_or', 'F', 'left:fn, right:fn', (left: Lambda, right: Lambda) => {
    const value = left.call();
    return yaqlTruth(value) ? value : right.call();
  }),
  define('#indexer', 'F', 'left:any, right:any', element),
  define('#indexer', 'F', 'left:any, right:any, default:any', elementOr),
];
