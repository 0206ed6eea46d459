import { type ExpressionScope, UNRESOLVED } from '../evaluate/scope';
import { currentTurns } from '../turns/turns';
import { FILTERS } from './filters';
import { RenderBudget, guarded } from './run/budget';
import { evaluateNode } from './run/evaluate';
import { capture } from './run/execute';
import { globalScope } from './run/globals';
import { hostFilter, HostScope } from './run/host-functions';
import { findOperation, type Operation } from './run/operation';
import type { JinjaRendering } from './run/run';
import { Scope } from './run/scope';
import { lexExpression } from './syntax/lex-expression';
import { type CompiledTemplate, templateOf } from './template';
import { TESTS } from './tests';
import { JinjaError } from './values/jinja-error';
import { plainFromJinja } from './values/plain';
import { toText } from './values/text';
import { Undefined } from './values/undefined';

/**
 * Evaluates one `{{ … }}` of a workflow. It sees nothing but the host functions, as functions and as filters.
 * @param form `native`: JSON data; `text`: the printed form
 * @throws JinjaError, and whatever the host functions throw
 */
export function evaluateJinja(source: string, scope: ExpressionScope, form: 'native' | 'text'): unknown {
  const turns = currentTurns();
  if (turns === undefined) return evaluated(source, scope, form);
  return turns.evaluate({ language: 'jinja', form, source, scope }, () => evaluated(source, scope, form));
}

function evaluated(source: string, scope: ExpressionScope, form: 'native' | 'text'): unknown {
  const template = templateOf(source);
  const { single } = template;
  if (single === undefined) return rendered(source, scope);
  const run = runOf(scope);
  return guarded(run.budget, () => {
    const value = evaluateNode(single, rootScope(template, scope), run);
    if (value instanceof Undefined && !value.lenient) return UNRESOLVED;
    return form === 'native' ? plainFromJinja(value) : toText(value);
  });
}

/** Renders a text with `{% … %}` of a workflow. @throws as `evaluateJinja` */
export function renderJinja(source: string, scope: ExpressionScope): string {
  const turns = currentTurns();
  if (turns === undefined) return rendered(source, scope);
  return turns.evaluate({ language: 'jinja', form: 'block', source, scope }, () => rendered(source, scope));
}

function rendered(source: string, scope: ExpressionScope): string {
  const template = templateOf(source);
  const run = runOf(scope);
  return guarded(run.budget, () => capture(template.body, rootScope(template, scope), run));
}

/**
 * Finds the end of the `{{ … }}` or `{% … %}` that opens at `at`, skipping delimiters in strings and brackets.
 * Undefined when it is unclosed or cannot be an expression.
 */
export function tagEnd(source: string, at: number): number | undefined {
  const closing = source[at + 1] === '{' ? '}}' : '%}';
  try {
    const stop = lexExpression(source, at + 2, closing === '}}' ? /-?\}\}/y : /[-+]?%\}/y, []);
    return stop < source.length ? source.indexOf(closing, stop) + closing.length : undefined;
  } catch (error) {
    if (error instanceof JinjaError) return undefined;
    throw error;
  }
}

const globals = globalScope();

const rootScope = (template: CompiledTemplate, { functions }: ExpressionScope): Scope =>
  new Scope(new HostScope(functions, template.changes, globals));

const runOf = ({ functions }: ExpressionScope): JinjaRendering => ({
  budget: new RenderBudget(),
  lenient: false,
  filter: (name) => filterOf(name, functions),
  test: (name) => findOperation(TESTS, name),
  datastore: undefined,
  decrypt: undefined,
  random: Math.random,
});

function filterOf(name: string, functions: ExpressionScope['functions']): Operation | undefined {
  const host = functions.get(name);
  return host === undefined ? findOperation(FILTERS, name) : hostFilter(name, host);
}
