import type { TemplateBody, Expression, FilterNode, ForNode, MacroNode, Statement, Target } from './nodes';
import { parseJinjaExpression, parseJinjaFilter, parseUnary } from './parse-expression';
import { parseTuple } from './parse-primary';
import { parseBody } from './parse-template';
import { syntaxError, type TokenStream } from './token-stream';

type Parser = (stream: TokenStream) => Statement;

const PARSERS: Readonly<Record<string, Parser>> = {
  if: parseIf,
  for: parseFor,
  set: parseSet,
  with: parseWith,
  filter: parseFilterBlock,
  macro: parseMacro,
  call: parseCallBlock,
  block: parseBlock,
  print: (stream) => ({ kind: 'output', value: parseTuple(stream) }),
  include: parseLoad,
  import: parseLoad,
  from: parseLoad,
  extends: parseLoad,
};

/** Parses the statement inside `{% … %}`, with its body and end tag. */
export function parseStatement(stream: TokenStream): Statement {
  if (!stream.is('name')) throw syntaxError('tag name expected');
  const name = stream.expectName();
  const parser = Object.hasOwn(PARSERS, name) ? PARSERS[name] : undefined;
  if (parser === undefined) throw syntaxError(`Encountered unknown tag '${name}'.`);
  return parser(stream);
}

/** Parses the body up to one of the closing tags and consumes it. @returns the body and the tag that ended it */
function bodyUntil(stream: TokenStream, until: readonly string[]): [TemplateBody, string] {
  stream.skip('operator', ':');
  stream.expect('block_end');
  return [parseBody(stream, until), stream.expectName()];
}

function parseIf(stream: TokenStream): Statement {
  const branches: { test: Expression; body: TemplateBody }[] = [];
  for (;;) {
    const test = parseTuple(stream, { conditional: false });
    const [body, end] = bodyUntil(stream, ['elif', 'else', 'endif']);
    branches.push({ test, body });
    if (end === 'endif') return { kind: 'if', branches, otherwise: [] };
    if (end === 'else') return { kind: 'if', branches, otherwise: bodyUntil(stream, ['endif'])[0] };
  }
}

function parseFor(stream: TokenStream): ForNode {
  const target = parseTarget(stream);
  stream.expect('name', 'in');
  const items = parseTuple(stream, { conditional: false, until: ['recursive'] });
  const test = stream.skip('name', 'if') ? parseJinjaExpression(stream) : undefined;
  const recursive = stream.skip('name', 'recursive');
  const [body, end] = bodyUntil(stream, ['endfor', 'else']);
  const otherwise = end === 'else' ? bodyUntil(stream, ['endfor'])[0] : [];
  return { kind: 'for', target, items, test, recursive, body, otherwise };
}

function parseSet(stream: TokenStream): Statement {
  const target = parseTarget(stream);
  if (stream.skip('operator', '=')) return { kind: 'set', target, value: parseTuple(stream) };
  const filter = parseBlockFilters(stream);
  return { kind: 'capture', target, filter, body: bodyUntil(stream, ['endset'])[0] };
}

function parseBlockFilters(stream: TokenStream): FilterNode | undefined {
  let filter: FilterNode | undefined;
  while (stream.skip('operator', '|')) filter = parseJinjaFilter(stream, filter);
  return filter;
}

function parseWith(stream: TokenStream): Statement {
  const values: [Target, Expression][] = [];
  while (!stream.is('block_end')) {
    if (values.length > 0) stream.expect('operator', ',');
    const target = parseSingleTarget(stream);
    stream.expect('operator', '=');
    values.push([target, parseJinjaExpression(stream)]);
  }
  return { kind: 'with', values, body: bodyUntil(stream, ['endwith'])[0] };
}

function parseFilterBlock(stream: TokenStream): Statement {
  let filter: FilterNode = parseJinjaFilter(stream, undefined);
  while (stream.skip('operator', '|')) filter = parseJinjaFilter(stream, filter);
  return { kind: 'filterBlock', filter, body: bodyUntil(stream, ['endfilter'])[0] };
}

function parseMacro(stream: TokenStream): MacroNode {
  const name = stream.expectName();
  const parameters = parseParameters(stream);
  return { kind: 'macro', name, parameters, body: bodyUntil(stream, ['endmacro'])[0] };
}

function parseParameters(stream: TokenStream): MacroNode['parameters'] {
  const parameters: { name: string; fallback: Expression | undefined }[] = [];
  stream.expect('operator', '(');
  while (!stream.is('operator', ')')) {
    if (parameters.length > 0) stream.expect('operator', ',');
    const name = stream.expectName();
    const fallback = stream.skip('operator', '=') ? parseJinjaExpression(stream) : undefined;
    if (fallback === undefined && parameters.at(-1)?.fallback !== undefined) {
      throw syntaxError('non-default argument follows default argument');
    }
    parameters.push({ name, fallback });
  }
  stream.expect('operator', ')');
  return parameters;
}

function parseCallBlock(stream: TokenStream): Statement {
  const parameters = stream.is('operator', '(') ? parseParameters(stream) : [];
  const call = parseUnary(stream, false);
  if (call.kind !== 'call') throw syntaxError('expected call');
  const [body] = bodyUntil(stream, ['endcall']);
  return { kind: 'callBlock', call, caller: { kind: 'macro', name: 'caller', parameters, body } };
}

function parseBlock(stream: TokenStream): Statement {
  stream.expectName();
  stream.skip('name', 'scoped');
  const [body] = bodyUntil(stream, ['endblock']);
  if (stream.is('name')) stream.take();
  return { kind: 'block', body };
}

/** Templates cannot load files: `include` and similar statements parse, but fail when executed. */
function parseLoad(stream: TokenStream): Statement {
  while (!stream.is('block_end') && !stream.is('eof')) stream.take();
  return { kind: 'load' };
}

function parseTarget(stream: TokenStream): Target {
  const items = [parseSingleTarget(stream)];
  let commas = false;
  while (stream.skip('operator', ',')) {
    commas = true;
    if (stream.is('name', 'in') || stream.is('operator', '=') || stream.is('operator', ')')) break;
    items.push(parseSingleTarget(stream));
  }
  const [only] = items;
  return commas || only === undefined ? { kind: 'tuple', items } : only;
}

const RESERVED = ['true', 'false', 'none', 'True', 'False', 'None'];

function parseSingleTarget(stream: TokenStream): Target {
  if (stream.skip('operator', '(')) {
    const inner = parseTarget(stream);
    stream.expect('operator', ')');
    return inner;
  }
  const name = stream.expectName();
  if (RESERVED.includes(name)) throw syntaxError(`can't assign to 'const'`);
  return stream.skip('operator', '.')
    ? { kind: 'field', object: name, name: stream.expectName() }
    : { kind: 'name', name };
}
