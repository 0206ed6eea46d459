import type { JinjaArguments, Expression, MacroNode } from '../syntax/nodes';
import { jinjaDictEntries, isJinjaDict, jinjaTypeName, tuple } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { iterate } from '../values/sequence';
import { toText } from '../values/text';
import { evaluateNode } from './evaluate';
import type { Named } from './operation';
import type { JinjaRendering, Callable } from './run';
import { Scope } from './scope';
import { Undefined } from '../values/undefined';
import { getAttribute } from '../values/attributes';
import { capture } from './execute';

/** Evaluates the arguments of a call: positional and named. */
export function evaluateArguments(args: JinjaArguments, scope: Scope, run: JinjaRendering): [unknown[], Named] {
  const positional = args.positional.map((node) => evaluateNode(node, scope, run));
  if (args.spread !== undefined) positional.push(...iterate(evaluateNode(args.spread, scope, run)));
  if (args.named.length === 0 && args.spreadNamed === undefined) return [positional, NOTHING_NAMED];
  const named: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, node] of args.named) named[name] = evaluateNode(node, scope, run);
  if (args.spreadNamed !== undefined) Object.assign(named, spreadNamed(evaluateNode(args.spreadNamed, scope, run)));
  return [positional, named];
}

const NOTHING_NAMED: Named = {};

function spreadNamed(value: unknown): Record<string, unknown> {
  if (!isJinjaDict(value))
    throw new JinjaError('TypeError', `argument after ** must be a mapping, not ${jinjaTypeName(value)}`);
  return Object.fromEntries(jinjaDictEntries(value).map(([key, item]) => [toText(key), item]));
}

/** Calls a macro, a method or a function of the context. */
export function callValue(callee: unknown, args: readonly unknown[], named: Named, run: JinjaRendering): unknown {
  if (callee instanceof Undefined) return callee.fail();
  if (typeof callee !== 'function')
    throw new JinjaError('TypeError', `'${jinjaTypeName(callee)}' object is not callable`);
  return (callee as Callable)(args, named, run);
}

/** Makes the function defined by a macro. It sees its parameters and the scope of its definition. */
export function makeMacro(node: MacroNode, scope: Scope): Callable {
  return (args, named, run) => {
    const inner = new Scope(scope);
    bindParameters(node, args, named, inner, run);
    return capture(node.body, inner, run);
  };
}

function bindParameters(
  node: MacroNode,
  args: readonly unknown[],
  named: Named,
  inner: Scope,
  run: JinjaRendering,
): void {
  const { caller, ...others } = named;
  const rest: Record<string, unknown> = others;
  node.parameters.forEach(({ name, fallback }, index) => {
    if (index < args.length) inner.set(name, args[index]);
    else if (Object.hasOwn(rest, name)) inner.set(name, rest[name]);
    else if (fallback !== undefined) inner.set(name, evaluateNode(fallback, inner, run));
    else inner.set(name, new Undefined(`parameter '${name}' was not provided`, run.lenient));
    delete rest[name];
  });
  inner.set('varargs', tuple(args.slice(node.parameters.length)));
  inner.set('kwargs', new Map(Object.entries(rest)));
  if (caller !== undefined) inner.set('caller', caller);
}

/** `{% call(a) box('x') %}…{% endcall %}`: passes the block to the macro as `caller`. */
export function callWithCaller(call: Expression, block: MacroNode, scope: Scope, run: JinjaRendering): unknown {
  if (call.kind !== 'call') throw new JinjaError('TemplateRuntimeError', 'expected call');
  const callee =
    call.target.kind === 'attribute'
      ? getAttribute(evaluateNode(call.target.target, scope, run), call.target.name, run, true)
      : evaluateNode(call.target, scope, run);
  const [args, named] = evaluateArguments(call.args, scope, run);
  return callValue(callee, args, { ...named, caller: makeMacro(block, scope) }, run);
}
