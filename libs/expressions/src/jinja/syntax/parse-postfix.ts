import type { Expression, Slice, JinjaArguments } from './nodes';
import { parseJinjaExpression } from './parse-expression';
import { syntaxError, type TokenStream } from './token-stream';

/** The names that templates use for the datastore. */
const DATASTORE_ROOTS: readonly string[] = ['st2kv', 'svckv'];

/** Parses attributes, items and calls after a value. */
export function parsePostfix(stream: TokenStream, value: Expression): Expression {
  let node = value;
  for (;;) {
    if (stream.is('operator', '.') || stream.is('operator', '[')) node = parseSubscript(stream, node);
    else if (stream.is('operator', '(')) {
      node = { kind: 'call', target: calledTarget(node), args: parseArguments(stream) };
    } else return node;
  }
}

function parseSubscript(stream: TokenStream, target: Expression): Expression {
  if (stream.take().value === '[') return itemOf(target, parseKey(stream));
  const token = stream.take();
  if (token.kind === 'name') return attributeOf(target, String(token.value));
  if (token.kind === 'integer') return itemOf(target, { kind: 'constant', value: token.value });
  throw syntaxError('expected name or number');
}

function attributeOf(target: Expression, name: string): Expression {
  const plain: Expression = { kind: 'attribute', target: plainOf(target), name };
  return datastoreStep(target, { kind: 'constant', value: name }, plain) ?? plain;
}

function itemOf(target: Expression, key: Expression | Slice): Expression {
  const plain: Expression = { kind: 'item', target: plainOf(target), key };
  return (key.kind === 'slice' ? undefined : datastoreStep(target, key, plain)) ?? plain;
}

const plainOf = (node: Expression): Expression =>
  node.kind === 'datastore' && node.path.length === 1 ? node.plain : node;

function datastoreStep(target: Expression, step: Expression, plain: Expression): Expression | undefined {
  if (target.kind === 'name' && DATASTORE_ROOTS.includes(target.name)) {
    return { kind: 'datastore', root: target.name, path: [step], plain };
  }
  if (target.kind !== 'datastore') return undefined;
  return { ...target, path: [...target.path, step], plain: withPlainTarget(plain, target.plain) };
}

const withPlainTarget = (plain: Expression, target: Expression): Expression =>
  plain.kind === 'attribute' || plain.kind === 'item' ? { ...plain, target } : plain;

/** In `st2kv.system.a.upper()` the last step is a method of the item. */
function calledTarget(node: Expression): Expression {
  if (node.kind !== 'datastore' || node.path.length < 3 || node.plain.kind !== 'attribute') return node;
  const { plain, path } = node;
  const owner: Expression = { ...node, path: path.slice(0, -1), plain: plain.target };
  return { kind: 'attribute', target: owner, name: plain.name };
}

function parseKey(stream: TokenStream): Expression | Slice {
  const keys: (Expression | Slice)[] = [];
  while (!stream.is('operator', ']')) {
    if (keys.length > 0) stream.expect('operator', ',');
    keys.push(parseOneKey(stream));
  }
  stream.expect('operator', ']');
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) return only;
  return { kind: 'tuple', items: keys.filter((key): key is Expression => key.kind !== 'slice') };
}

function parseOneKey(stream: TokenStream): Expression | Slice {
  const bound = () => (stream.isOneOf('operator', [':', ']', ',']) ? undefined : parseJinjaExpression(stream));
  const start = bound();
  if (!stream.skip('operator', ':')) return start ?? stream.unexpected();
  const stop = bound();
  const step = stream.skip('operator', ':') ? bound() : undefined;
  return { kind: 'slice', start, stop, step };
}

/** `(a, b=1, *rest, **named)` */
export function parseArguments(stream: TokenStream): JinjaArguments {
  stream.expect('operator', '(');
  const positional: Expression[] = [];
  const named: [string, Expression][] = [];
  let spread: Expression | undefined;
  let spreadNamed: Expression | undefined;
  while (!stream.is('operator', ')')) {
    if (positional.length + named.length > 0 || spread !== undefined || spreadNamed !== undefined) {
      stream.expect('operator', ',');
      if (stream.is('operator', ')')) break;
    }
    if (stream.skip('operator', '*')) spread = once(spread, parseJinjaExpression(stream));
    else if (stream.skip('operator', '**')) spreadNamed = once(spreadNamed, parseJinjaExpression(stream));
    else if (stream.current.kind === 'name' && stream.next.kind === 'operator' && stream.next.value === '=') {
      const name = stream.expectName();
      stream.take();
      named.push([name, parseJinjaExpression(stream)]);
    } else if (named.length > 0 || spreadNamed !== undefined) invalid();
    else positional.push(parseJinjaExpression(stream));
  }
  stream.expect('operator', ')');
  return { positional, named, spread, spreadNamed };
}

function once(known: Expression | undefined, value: Expression): Expression {
  return known === undefined ? value : invalid();
}

function invalid(): never {
  throw syntaxError('invalid syntax for function call expression');
}
