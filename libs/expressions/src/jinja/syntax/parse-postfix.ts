import type { Expression, Slice } from './nodes';
import { parseArguments } from './parse-arguments';
import { parseExpression } from './parse-expression';
import { syntaxError } from './token';
import type { TokenStream } from './token-stream';

/** The names under which templates read the datastore. */
export const DATASTORE_ROOTS: readonly string[] = ['st2kv', 'svckv'];

/** Attributes, items and calls after a value. */
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

/** `st2kv.system.a.upper()`: the last step of a called path is a method of the item. */
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
  const bound = () => (stream.isOneOf('operator', [':', ']', ',']) ? undefined : parseExpression(stream));
  const start = bound();
  if (!stream.skip('operator', ':')) return start ?? stream.unexpected();
  const stop = bound();
  const step = stream.skip('operator', ':') ? bound() : undefined;
  return { kind: 'slice', start, stop, step };
}
