import { assertNever } from '@switchyard/base';
import type { Arguments, Comparison, Expression, FilterNode, Slice, TestNode } from '../syntax/nodes';
import { getAttribute, getItem, getSlice } from '../values/attributes';
import { dictSet, tuple } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { numeric } from '../values/number';
import { negate } from '../values/arithmetic';
import { truth } from '../values/sequence';
import { toText } from '../values/text';
import { typeName } from '../values/type-name';
import { Undefined } from '../values/undefined';
import { evaluateArguments } from './arguments';
import { chargeFor, chargeResult } from './budget';
import { binary } from './binary';
import { callValue } from './call';
import { Decrypted, readDatastore } from './datastore-item';
import { holds } from './holds';
import type { Run } from './run';
import type { Scope } from './scope';

/** The value of an expression; a missing name, key or element is an Undefined. */
export function evaluate(node: Expression, scope: Scope, run: Run): unknown {
  run.budget.spend();
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'name':
      return readName(node.name, scope, run);
    case 'attribute':
      return getAttribute(evaluate(node.target, scope, run), node.name, run);
    case 'item':
      return readItem(evaluate(node.target, scope, run), node.key, scope, run);
    case 'datastore':
      return readDatastore(node, false, scope, run);
    case 'call':
      return call(node.target, node.args, scope, run);
    case 'filter':
      return applyFilter(node, undefined, scope, run);
    case 'test':
      return applyTest(node, scope, run);
    default:
      return evaluateOperator(node, scope, run);
  }
}

type OperatorNode = Exclude<
  Expression,
  { kind: 'constant' | 'name' | 'attribute' | 'item' | 'datastore' | 'call' | 'filter' | 'test' }
>;

function evaluateOperator(node: OperatorNode, scope: Scope, run: Run): unknown {
  const value = (each: Expression) => evaluate(each, scope, run);
  switch (node.kind) {
    case 'list':
      return node.items.map(value);
    case 'tuple':
      return tuple(node.items.map(value));
    case 'dict':
      return makeDict(node.entries.map(([key, item]) => [value(key), value(item)]));
    case 'not':
      return !truth(value(node.operand));
    case 'sign':
      return signed(node.sign, value(node.operand));
    case 'and': {
      const left = value(node.left);
      return truth(left) ? value(node.right) : left;
    }
    case 'or': {
      const left = value(node.left);
      return truth(left) ? left : value(node.right);
    }
    case 'binary':
      return binary(node.operator, value(node.left), value(node.right), run);
    case 'concat':
      return concat(node.items.map(value), run);
    case 'compare':
      return compareAll(value(node.first), node.rest, value);
    case 'conditional':
      return conditional(node, value);
    default:
      return assertNever(node);
  }
}

function conditional(
  node: Extract<Expression, { kind: 'conditional' }>,
  value: (node: Expression) => unknown,
): unknown {
  if (truth(value(node.test))) return value(node.then);
  // Jinja2 never makes this one strict: `{{ 'x' if no }}` prints nothing.
  return node.otherwise === undefined ? new Undefined('there is no else section', true) : value(node.otherwise);
}

function readName(name: string, scope: Scope, run: Run): unknown {
  if (!scope.has(name)) return new Undefined(`'${name}' is undefined`, run.lenient);
  const value = scope.get(name);
  return value === undefined ? null : value;
}

function readItem(target: unknown, key: Expression | Slice, scope: Scope, run: Run): unknown {
  if (key.kind !== 'slice') return getItem(target, evaluate(key, scope, run), run);
  const bound = (node: Expression | undefined) => (node === undefined ? null : evaluate(node, scope, run));
  return getSlice(target, bound(key.start), bound(key.stop), bound(key.step));
}

/** @param text the target of a filter block */
export function applyFilter(node: FilterNode, text: string | undefined, scope: Scope, run: Run): unknown {
  const filter = run.filter(node.name);
  if (filter === undefined) throw new JinjaError('TemplateAssertionError', `No filter named '${node.name}'.`);
  const [args, named] = evaluateArguments(node.args, scope, run);
  const subject = filterTarget(node, text, scope, run);
  chargeFor(subject);
  return chargeResult(filter(run, subject, args, named));
}

function filterTarget(node: FilterNode, text: string | undefined, scope: Scope, run: Run): unknown {
  const { target } = node;
  if (target === undefined) return text;
  if (target.kind === 'filter') return applyFilter(target, text, scope, run);
  // Only here is it known that the plain text of a secret item is wanted.
  if (node.name === 'decrypt_kv' && target.kind === 'datastore') {
    return new Decrypted(toText(readDatastore(target, true, scope, run)));
  }
  return evaluate(target, scope, run);
}

function applyTest(node: TestNode, scope: Scope, run: Run): boolean {
  const test = run.test(node.name);
  if (test === undefined) throw new JinjaError('TemplateAssertionError', `No test named '${node.name}'.`);
  const [args, named] = evaluateArguments(node.args, scope, run);
  const subject = evaluate(node.target, scope, run);
  chargeFor(subject);
  return truth(test(run, subject, args, named));
}

function call(target: Expression, args: Arguments, scope: Scope, run: Run): unknown {
  const callee =
    target.kind === 'attribute'
      ? getAttribute(evaluate(target.target, scope, run), target.name, run, true)
      : evaluate(target, scope, run);
  return callValue(callee, ...evaluateArguments(args, scope, run), run);
}

function makeDict(entries: readonly (readonly [unknown, unknown])[]): Map<unknown, unknown> {
  const dict = new Map<unknown, unknown>();
  for (const [key, item] of entries) dictSet(dict, key, item);
  return dict;
}

function signed(sign: '+' | '-', value: unknown): unknown {
  const number = numeric(value);
  if (number === undefined) {
    if (value instanceof Undefined) value.fail();
    throw new JinjaError('TypeError', `bad operand type for unary ${sign}: '${typeName(value)}'`);
  }
  return sign === '-' ? negate(number) : number;
}

function concat(values: readonly unknown[], run: Run): string {
  const texts = values.map(toText);
  run.budget.produce(texts.reduce((sum, text) => sum + text.length, 0));
  return texts.join('');
}

function compareAll(first: unknown, rest: readonly Comparison[], value: (node: Expression) => unknown): boolean {
  let left = first;
  for (const [operator, node] of rest) {
    const right = value(node);
    if (!holds(operator, left, right)) return false;
    left = right;
  }
  return true;
}
