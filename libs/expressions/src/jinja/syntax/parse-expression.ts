import type { JinjaComparison, ComparisonOperator, Expression } from './nodes';
import { parseArguments, parsePostfix } from './parse-postfix';
import { parsePrimary } from './parse-primary';
import { syntaxError, type TokenStream } from './token-stream';

/** Parses an expression, by default including `a if b else c`. */
export function parseJinjaExpression(stream: TokenStream, conditional = true): Expression {
  return conditional ? parseConditional(stream) : parseOr(stream);
}

function parseConditional(stream: TokenStream): Expression {
  let value = parseOr(stream);
  while (stream.skip('name', 'if')) {
    const test = parseOr(stream);
    const otherwise = stream.skip('name', 'else') ? parseConditional(stream) : undefined;
    value = { kind: 'conditional', test, then: value, otherwise };
  }
  return value;
}

function parseOr(stream: TokenStream): Expression {
  let left = parseAnd(stream);
  while (stream.skip('name', 'or')) left = { kind: 'or', left, right: parseAnd(stream) };
  return left;
}

function parseAnd(stream: TokenStream): Expression {
  let left = parseNot(stream);
  while (stream.skip('name', 'and')) left = { kind: 'and', left, right: parseNot(stream) };
  return left;
}

function parseNot(stream: TokenStream): Expression {
  return stream.skip('name', 'not') ? { kind: 'not', operand: parseNot(stream) } : parseCompare(stream);
}

function parseCompare(stream: TokenStream): Expression {
  const first = parseSum(stream);
  const rest: JinjaComparison[] = [];
  for (;;) {
    const operator = comparisonOperator(stream);
    if (operator === undefined) break;
    rest.push([operator, parseSum(stream)]);
  }
  return rest.length === 0 ? first : { kind: 'compare', first, rest };
}

const COMPARISONS: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];

function comparisonOperator(stream: TokenStream): ComparisonOperator | undefined {
  if (stream.isOneOf('operator', COMPARISONS)) return stream.take().value as ComparisonOperator;
  if (stream.skip('name', 'in')) return 'in';
  if (stream.is('name', 'not') && stream.next.kind === 'name' && stream.next.value === 'in') {
    stream.take();
    stream.take();
    return 'not in';
  }
  return undefined;
}

function parseSum(stream: TokenStream): Expression {
  let left = parseConcat(stream);
  while (stream.isOneOf('operator', ['+', '-'])) {
    const operator = stream.take().value as '+' | '-';
    left = { kind: 'binary', operator, left, right: parseConcat(stream) };
  }
  return left;
}

function parseConcat(stream: TokenStream): Expression {
  const first = parseProduct(stream);
  const items = [first];
  while (stream.skip('operator', '~')) items.push(parseProduct(stream));
  return items.length === 1 ? first : { kind: 'concat', items };
}

function parseProduct(stream: TokenStream): Expression {
  let left = parsePower(stream);
  while (stream.isOneOf('operator', ['*', '/', '//', '%'])) {
    const operator = stream.take().value as '*' | '/' | '//' | '%';
    left = { kind: 'binary', operator, left, right: parsePower(stream) };
  }
  return left;
}

function parsePower(stream: TokenStream): Expression {
  let left = parseUnary(stream);
  while (stream.skip('operator', '**')) {
    left = { kind: 'binary', operator: '**', left, right: parseUnary(stream) };
  }
  return left;
}

/** Signs bind weaker than attributes and calls, and stronger than filters: `-1 | abs` is 1. */
export function parseUnary(stream: TokenStream, filters = true): Expression {
  let node: Expression;
  if (stream.isOneOf('operator', ['+', '-'])) {
    node = { kind: 'sign', sign: stream.take().value as '+' | '-', operand: parseUnary(stream, false) };
  } else node = parsePrimary(stream);
  node = parsePostfix(stream, node);
  return filters ? parseFilters(stream, node) : node;
}

/** Parses what may follow a value: filters, tests and calls of their results. */
function parseFilters(stream: TokenStream, value: Expression): Expression {
  let node = value;
  for (;;) {
    if (stream.skip('operator', '|')) node = parseJinjaFilter(stream, node);
    else if (stream.skip('name', 'is')) node = parseTest(stream, node);
    else if (stream.is('operator', '(')) node = { kind: 'call', target: node, args: parseArguments(stream) };
    else return node;
  }
}

const NO_ARGUMENTS = { positional: [], named: [], spread: undefined, spreadNamed: undefined };

/** Parses a filter's name and arguments, after the bar. */
export function parseJinjaFilter<T extends Expression | undefined>(stream: TokenStream, target: T) {
  const name = dottedName(stream);
  const args = stream.is('operator', '(') ? parseArguments(stream) : NO_ARGUMENTS;
  return { kind: 'filter' as const, name, target, args };
}

function dottedName(stream: TokenStream): string {
  let name = stream.expectName();
  while (stream.skip('operator', '.')) name += `.${stream.expectName()}`;
  return name;
}

function parseTest(stream: TokenStream, target: Expression): Expression {
  const negated = stream.skip('name', 'not');
  const name = dottedName(stream);
  const test: Expression = { kind: 'test', name, target, args: testArguments(stream) };
  return negated ? { kind: 'not', operand: test } : test;
}

function testArguments(stream: TokenStream) {
  if (stream.is('operator', '(')) return parseArguments(stream);
  if (stream.is('name', 'is')) throw syntaxError('You cannot chain multiple tests with is');
  const { kind } = stream.current;
  const bare =
    kind === 'string' || kind === 'integer' || kind === 'float' || stream.isOneOf('operator', ['[', '{']) ||
    (kind === 'name' && !stream.isOneOf('name', ['else', 'or', 'and'])); // oxfmt-ignore
  return bare ? { ...NO_ARGUMENTS, positional: [parsePostfix(stream, parsePrimary(stream))] } : NO_ARGUMENTS;
}
