import { assertNever } from '@switchyard/base';
import type { JinjaArguments, JinjaComparison, Expression, FilterNode, Slice, TestNode } from '../syntax/nodes';
import { getAttribute, getItem, getSlice } from '../values/attributes';
import { dictSet, tuple, jinjaTypeName } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { numeric } from '../values/number';
import { negate } from '../values/arithmetic';
import { jinjaTruth } from '../values/sequence';
import { toText } from '../values/text';
import { Undefined } from '../values/undefined';
import { evaluateArguments, callValue } from './calls';
import { chargeFor, chargeResult } from './budget';
import { binary, comparisonHolds } from './operators';
import { Decrypted, readDatastore } from './datastore-item';
import type { JinjaRendering } from './run';
import type { Scope } from './scope';

/** Evaluates an expression; a missing name, key or element gives an Undefined. */
export function evaluateNode(node: Expression, scope: Scope, run: JinjaRendering): unknown {
  run.budget.spend();
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'name':
      return readName(node.name, scope, run);
    case 'attribute':
      return getAttribute(evaluateNode(node.target, scope, run), node.name, run);
    case 'item':
      return readItem(evaluateNode(node.target, scope, run), node.key, scope, run);
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

function evaluateOperator(node: OperatorNode, scope: Scope, run: JinjaRendering): unknown {
  const value = (each: Expression) => evaluateNode(each, scope, run);
  switch (node.kind) {
    case 'list':
      return node.items.map(value);
    case 'tuple':
      return tuple(node.items.map(value));
    case 'dict':
      return makeDict(node.entries.map(([key, item]) => [value(key), value(item)]));
    case 'not':
      return !jinjaTruth(value(node.operand));
    case 'sign':
      return signed(node.sign, value(node.operand));
    case 'and': {
      const left = value(node.left);
      return jinjaTruth(left) ? value(node.right) : left;
    }
    case 'or': {
      const left = value(node.left);
      return jinjaTruth(left) ? left : value(node.right);
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
  if (jinjaTruth(value(node.test))) return value(node.then);
  // Always lenient in Jinja2: `{{ 'x' if no }}` prints nothing.
  return node.otherwise === undefined ? new Undefined('there is no else section', true) : value(node.otherwise);
}

function readName(name: string, scope: Scope, run: JinjaRendering): unknown {
  if (!scope.has(name)) return new Undefined(`'${name}' is undefined`, run.lenient);
  const value = scope.get(name);
  return value === undefined ? null : value;
}

function readItem(target: unknown, key: Expression | Slice, scope: Scope, run: JinjaRendering): unknown {
  if (key.kind !== 'slice') return getItem(target, evaluateNode(key, scope, run), run);
  const bound = (node: Expression | undefined) => (node === undefined ? null : evaluateNode(node, scope, run));
  return getSlice(target, bound(key.start), bound(key.stop), bound(key.step));
}

/** @param text the content, for a filter block */
export function applyFilter(node: FilterNode, text: string | undefined, scope: Scope, run: JinjaRendering): unknown {
  const filter = run.filter(node.name);
  if (filter === undefined) throw new JinjaError('TemplateAssertionError', `No filter named '${node.name}'.`);
  const [args, named] = evaluateArguments(node.args, scope, run);
  const subject = filterTarget(node, text, scope, run);
  chargeFor(subject);
  return chargeResult(filter(run, subject, args, named));
}

function filterTarget(node: FilterNode, text: string | undefined, scope: Scope, run: JinjaRendering): unknown {
  const { target } = node;
  if (target === undefined) return text;
  if (target.kind === 'filter') return applyFilter(target, text, scope, run);
  // Only this filter needs the plain text of a secret item.
  if (node.name === 'decrypt_kv' && target.kind === 'datastore') {
    return new Decrypted(toText(readDatastore(target, true, scope, run)));
  }
  return evaluateNode(target, scope, run);
}

function applyTest(node: TestNode, scope: Scope, run: JinjaRendering): boolean {
  const test = run.test(node.name);
  if (test === undefined) throw new JinjaError('TemplateAssertionError', `No test named '${node.name}'.`);
  const [args, named] = evaluateArguments(node.args, scope, run);
  const subject = evaluateNode(node.target, scope, run);
  chargeFor(subject);
  return jinjaTruth(test(run, subject, args, named));
}

function call(target: Expression, args: JinjaArguments, scope: Scope, run: JinjaRendering): unknown {
  const callee =
    target.kind === 'attribute'
      ? getAttribute(evaluateNode(target.target, scope, run), target.name, run, true)
      : evaluateNode(target, scope, run);
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
    throw new JinjaError('TypeError', `bad operand type for unary ${sign}: '${jinjaTypeName(value)}'`);
  }
  return sign === '-' ? negate(number) : number;
}

function concat(values: readonly unknown[], run: JinjaRendering): string {
  const texts = values.map(toText);
  run.budget.produce(texts.reduce((sum, text) => sum + text.length, 0));
  return texts.join('');
}

function compareAll(first: unknown, rest: readonly JinjaComparison[], value: (node: Expression) => unknown): boolean {
  let left = first;
  for (const [operator, node] of rest) {
    const right = value(node);
    if (!comparisonHolds(operator, left, right)) return false;
    left = right;
  }
  return true;
}
