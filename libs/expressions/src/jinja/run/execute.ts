import { assertNever } from '@switchyard/base';
import type { Body, Statement, Target } from '../syntax/nodes';
import { JinjaError } from '../values/jinja-error';
import { iterate, truth } from '../values/sequence';
import { toText } from '../values/text';
import { applyFilter, evaluate } from './evaluate';
import { executeFor } from './loop';
import { callWithCaller, makeMacro } from './macro';
import { Namespace } from './namespace';
import type { Run } from './run';
import { Scope } from './scope';

/** Runs statements; what they print goes to `out`. */
export function execute(body: Body, scope: Scope, run: Run, out: string[]): void {
  for (const statement of body) executeStatement(statement, scope, run, out);
}

/** What the statements print. */
export function capture(body: Body, scope: Scope, run: Run): string {
  const out: string[] = [];
  execute(body, scope, run, out);
  run.budget.produce(out.reduce((sum, text) => sum + text.length, 0));
  return out.join('');
}

function executeStatement(node: Statement, scope: Scope, run: Run, out: string[]): void {
  run.budget.spend();
  switch (node.kind) {
    case 'data':
      return write(node.text, run, out);
    case 'output':
      return write(toText(evaluate(node.value, scope, run)), run, out);
    case 'if': {
      const branch = node.branches.find(({ test }) => truth(evaluate(test, scope, run)));
      return execute(branch?.body ?? node.otherwise, scope, run, out);
    }
    case 'for':
      return executeFor(node, scope, run, out);
    case 'set':
      return assign(node.target, evaluate(node.value, scope, run), scope);
    case 'block':
      return execute(node.body, new Scope(scope), run, out);
    case 'load':
      throw new JinjaError('TypeError', 'no loader for this environment specified');
    default:
      return executeBlock(node, scope, run, out);
  }
}

type BlockNode = Exclude<Statement, { kind: 'data' | 'output' | 'if' | 'for' | 'set' | 'block' | 'load' }>;

function executeBlock(node: BlockNode, scope: Scope, run: Run, out: string[]): void {
  switch (node.kind) {
    case 'capture': {
      const text = capture(node.body, new Scope(scope), run);
      return assign(node.target, node.filter === undefined ? text : applyFilter(node.filter, text, scope, run), scope);
    }
    case 'with': {
      const inner = new Scope(scope);
      for (const [target, value] of node.values) assign(target, evaluate(value, scope, run), inner);
      return execute(node.body, inner, run, out);
    }
    case 'filterBlock':
      return write(toText(applyFilter(node.filter, capture(node.body, new Scope(scope), run), scope, run)), run, out);
    case 'macro':
      return scope.set(node.name, makeMacro(node, scope));
    case 'callBlock':
      return write(toText(callWithCaller(node.call, node.caller, scope, run)), run, out);
    default:
      return assertNever(node);
  }
}

function write(text: string, run: Run, out: string[]): void {
  run.budget.produce(text.length);
  out.push(text);
}

/** Stores a value in a name, a namespace's field, or its items in several. */
export function assign(target: Target, value: unknown, scope: Scope): void {
  if (target.kind === 'name') return scope.set(target.name, value);
  if (target.kind === 'tuple') return unpack(target.items, value, scope);
  const object = scope.get(target.object);
  if (object instanceof Namespace) return object.set(target.name, value);
  throw new JinjaError('TemplateRuntimeError', 'cannot assign attribute on non-namespace object');
}

function unpack(targets: readonly Target[], value: unknown, scope: Scope): void {
  const items = iterate(value);
  if (items.length > targets.length) {
    throw new JinjaError('ValueError', `too many values to unpack (expected ${targets.length})`);
  }
  if (items.length < targets.length) {
    const counts = `expected ${targets.length}, got ${items.length}`;
    throw new JinjaError('ValueError', `not enough values to unpack (${counts})`);
  }
  targets.forEach((target, index) => assign(target, items[index], scope));
}
