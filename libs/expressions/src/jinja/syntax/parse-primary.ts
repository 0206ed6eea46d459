import type { Expression } from './nodes';
import { parseJinjaExpression } from './parse-expression';
import { describe, syntaxError, type TokenStream } from './token-stream';

const CONSTANTS: Readonly<Record<string, unknown>> = {
  true: true, false: false, none: null, True: true, False: false, None: null,
}; // oxfmt-ignore

/** Parses a literal, a name, or something in brackets. */
export function parsePrimary(stream: TokenStream): Expression {
  const { kind, value } = stream.current;
  if (kind === 'name') return parseName(stream);
  if (kind === 'string') return parseStrings(stream);
  if (kind === 'integer' || kind === 'float') return { kind: 'constant', value: stream.take().value };
  if (kind === 'operator' && value === '(') return parseParenthesis(stream);
  if (kind === 'operator' && value === '[') return parseList(stream);
  if (kind === 'operator' && value === '{') return parseDict(stream);
  return stream.unexpected();
}

function parseName(stream: TokenStream): Expression {
  const name = stream.expectName();
  return Object.hasOwn(CONSTANTS, name) ? { kind: 'constant', value: CONSTANTS[name] } : { kind: 'name', name };
}

/** Adjacent strings are concatenated. */
function parseStrings(stream: TokenStream): Expression {
  let text = '';
  while (stream.is('string')) text += String(stream.take().value);
  return { kind: 'constant', value: text };
}

function parseParenthesis(stream: TokenStream): Expression {
  stream.take();
  const inner = parseTuple(stream, { parenthesised: true });
  stream.expect('operator', ')');
  return inner;
}

function parseList(stream: TokenStream): Expression {
  stream.take();
  const items: Expression[] = [];
  while (!stream.is('operator', ']')) {
    if (items.length > 0) stream.expect('operator', ',');
    if (stream.is('operator', ']')) break;
    items.push(parseJinjaExpression(stream));
  }
  stream.expect('operator', ']');
  return { kind: 'list', items };
}

function parseDict(stream: TokenStream): Expression {
  stream.take();
  const entries: [Expression, Expression][] = [];
  while (!stream.is('operator', '}')) {
    if (entries.length > 0) stream.expect('operator', ',');
    if (stream.is('operator', '}')) break;
    const key = parseJinjaExpression(stream);
    stream.expect('operator', ':');
    entries.push([key, parseJinjaExpression(stream)]);
  }
  stream.expect('operator', '}');
  return { kind: 'dict', entries };
}

interface TupleOptions {
  readonly conditional?: boolean;
  readonly parenthesised?: boolean;
  /** Words that end the tuple, such as `recursive`. */
  readonly until?: readonly string[];
}

/** Parses one expression, or several separated by commas, which make a tuple. */
export function parseTuple(stream: TokenStream, options: TupleOptions = {}): Expression {
  const items: Expression[] = [];
  let commas = false;
  while (!atTupleEnd(stream, options.until)) {
    items.push(parseJinjaExpression(stream, options.conditional ?? true));
    if (!stream.skip('operator', ',')) break;
    commas = true;
  }
  const [only] = items;
  if (!commas && only !== undefined) return only;
  if (items.length === 0 && options.parenthesised !== true) {
    throw syntaxError(`Expected an expression, got '${describe(stream.current)}'`);
  }
  return { kind: 'tuple', items };
}

const atTupleEnd = (stream: TokenStream, until: readonly string[] = []): boolean =>
  stream.is('variable_end') || stream.is('block_end') || stream.is('operator', ')') || stream.isOneOf('name', until);
