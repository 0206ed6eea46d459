import type { Expression, MacroNode } from '../syntax/nodes';
import { getAttribute } from '../values/attributes';
import { tuple } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { Undefined } from '../values/undefined';
import { evaluateArguments } from './arguments';
import { callValue } from './call';
import { evaluate } from './evaluate';
import { capture } from './execute';
import type { Named } from './operation';
import type { Callable, Run } from './run';
import { Scope } from './scope';

/** The function that a macro defines; it sees the names around its definition and its parameters. */
export function makeMacro(node: MacroNode, scope: Scope): Callable {
  return (args, named, run) => {
    const inner = new Scope(scope);
    bindParameters(node, args, named, inner, run);
    return capture(node.body, inner, run);
  };
}

function bindParameters(node: MacroNode, args: readonly unknown[], named: Named, inner: Scope, run: Run): void {
  const { caller, ...others } = named;
  const rest: Record<string, unknown> = others;
  node.parameters.forEach(({ name, fallback }, index) => {
    if (index < args.length) inner.set(name, args[index]);
    else if (Object.hasOwn(rest, name)) inner.set(name, rest[name]);
    else if (fallback !== undefined) inner.set(name, evaluate(fallback, inner, run));
    else inner.set(name, new Undefined(`parameter '${name}' was not provided`, run.lenient));
    delete rest[name];
  });
  inner.set('varargs', tuple(args.slice(node.parameters.length)));
  inner.set('kwargs', new Map(Object.entries(rest)));
  if (caller !== undefined) inner.set('caller', caller);
}

/** `{% call(a) box('x') %}…{% endcall %}`: the block reaches the macro as `caller`. */
export function callWithCaller(call: Expression, block: MacroNode, scope: Scope, run: Run): unknown {
  if (call.kind !== 'call') throw new JinjaError('TemplateRuntimeError', 'expected call');
  const callee =
    call.target.kind === 'attribute'
      ? getAttribute(evaluate(call.target.target, scope, run), call.target.name, run, true)
      : evaluate(call.target, scope, run);
  const [args, named] = evaluateArguments(call.args, scope, run);
  return callValue(callee, args, { ...named, caller: makeMacro(block, scope) }, run);
}
