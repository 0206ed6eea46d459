import { assertNever } from '@switchyard/base';
import type { TemplateBody, Statement, Target } from '../syntax/nodes';
import { JinjaError } from '../values/jinja-error';
import { iterate, jinjaTruth } from '../values/sequence';
import { toText } from '../values/text';
import { applyFilter, evaluateNode } from './evaluate';
import { executeFor } from './loop';
import { callWithCaller, makeMacro } from './calls';
import { Namespace } from './globals';
import type { JinjaRendering } from './run';
import { Scope } from './scope';

/** Executes statements and appends their output to `out`. */
export function execute(body: TemplateBody, scope: Scope, run: JinjaRendering, out: string[]): void {
  for (const statement of body) executeStatement(statement, scope, run, out);
}

/** The output of the statements. */
export function capture(body: TemplateBody, scope: Scope, run: JinjaRendering): string {
  const out: string[] = [];
  execute(body, scope, run, out);
  run.budget.produce(out.reduce((sum, text) => sum + text.length, 0));
  return out.join('');
}

function executeStatement(node: Statement, scope: Scope, run: JinjaRendering, out: string[]): void {
  run.budget.spend();
  switch (node.kind) {
    case 'data':
      return write(node.text, run, out);
    case 'output':
      return write(toText(evaluateNode(node.value, scope, run)), run, out);
    case 'if': {
      const branch = node.branches.find(({ test }) => jinjaTruth(evaluateNode(test, scope, run)));
      return execute(branch?.body ?? node.otherwise, scope, run, out);
    }
    case 'for':
      return executeFor(node, scope, run, out);
    case 'set':
      return assignTo(node.target, evaluateNode(node.value, scope, run), scope);
    case 'block':
      return execute(node.body, new Scope(scope), run, out);
    case 'load':
      throw new JinjaError('TypeError', 'no loader for this environment specified');
    default:
      return executeBlock(node, scope, run, out);
  }
}

type BlockNode = Exclude<Statement, { kind: 'data' | 'output' | 'if' | 'for' | 'set' | 'block' | 'load' }>;

function executeBlock(node: BlockNode, scope: Scope, run: JinjaRendering, out: string[]): void {
  switch (node.kind) {
    case 'capture': {
      const text = capture(node.body, new Scope(scope), run);
      return assignTo(
        node.target,
        node.filter === undefined ? text : applyFilter(node.filter, text, scope, run),
        scope,
      );
    }
    case 'with': {
      const inner = new Scope(scope);
      for (const [target, value] of node.values) assignTo(target, evaluateNode(value, scope, run), inner);
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

function write(text: string, run: JinjaRendering, out: string[]): void {
  run.budget.produce(text.length);
  out.push(text);
}

/** Assigns a value to a name or a field of a namespace, or its items to several targets. */
export function assignTo(target: Target, value: unknown, scope: Scope): void {
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
  targets.forEach((target, index) => assignTo(target, items[index], scope));
}
