import { currentTurns } from '../turns/turns';
import { FILTERS } from './filters';
import { Budget, type Limits } from './run/budget';
import { evaluate } from './run/evaluate';
import { capture } from './run/execute';
import { globalScope } from './run/globals';
import { guarded } from './run/guarded';
import { findOperation, type Operation } from './run/operation';
import type { DatastoreKey, Run } from './run/run';
import { ContextScope, Scope } from './run/scope';
import { type Template, templateOf } from './template';
import { TESTS } from './tests';
import { toPlain } from './values/plain';

/** A function of the application that templates may call, by plain values. */
export type TemplateFunction = (args: readonly unknown[], named: Readonly<Record<string, unknown>>) => unknown;

export interface RenderOptions {
  /** `strict` (the default): using what is missing fails; `lenient`: it prints nothing. */
  readonly missing?: 'strict' | 'lenient';
  /** Functions by name. */
  readonly functions?: Readonly<Record<string, TemplateFunction>>;
  /** Further filters, or other ones of the same name; the filtered value is their first argument. */
  readonly filters?: Readonly<Record<string, TemplateFunction>>;
  /** Reads a datastore item for `st2kv.…` and `svckv.…`; undefined when there is none. */
  readonly datastore?: (key: DatastoreKey) => string | undefined;
  /** For `decrypt_kv` on texts that are no datastore items. */
  readonly decrypt?: (ciphertext: string) => string;
  readonly limits?: Limits;
  readonly random?: () => number;
}

export type Context = Readonly<Record<string, unknown>>;

/**
 * Renders a template to text as Jinja2 would (`True`, `None`, `2.0`, `['a', 1]`). Values of the context are data: texts in
 * them are never read as templates.
 * @throws JinjaError
 */
export function renderText(source: string, context: Context, options: RenderOptions = {}): string {
  const turns = currentTurns();
  if (turns === undefined) return textOf(templateOf(source), context, options);
  const here = () => textOf(templateOf(source), context, options);
  return turns.evaluate({ language: 'template', form: 'text', source, context, options }, here);
}

/** `renderText` of a template that somebody keeps in its parsed form. @throws JinjaError */
export function renderTemplate(template: Template, context: Context, options: RenderOptions = {}): string {
  const turns = currentTurns();
  if (turns === undefined) return textOf(template, context, options);
  const { source } = template;
  const here = () => textOf(template, context, options);
  return turns.evaluate({ language: 'template', form: 'text', source, context, options }, here);
}

function textOf(template: Template, context: Context, options: RenderOptions): string {
  const run = runOf(options);
  return guarded(run.budget, () => capture(template.body, rootScope(template, context, options), run));
}

/** Like `renderText`, but a template that is one expression and nothing else gives its value, as JSON data. */
export function renderNative(source: string, context: Context, options: RenderOptions = {}): unknown {
  const turns = currentTurns();
  if (turns === undefined) return valueOf(source, context, options);
  const here = () => valueOf(source, context, options);
  return turns.evaluate({ language: 'template', form: 'native', source, context, options }, here);
}

function valueOf(source: string, context: Context, options: RenderOptions): unknown {
  const template = templateOf(source);
  const { single } = template;
  if (single === undefined) return textOf(template, context, options);
  const run = runOf(options);
  return guarded(run.budget, () => toPlain(evaluate(single, rootScope(template, context, options), run)));
}

const plainGlobals = globalScope();

function rootScope(template: Template, context: Context, options: RenderOptions): Scope {
  const functions = options.functions;
  const globals = functions === undefined ? plainGlobals : globalScope(wrapped(functions));
  return new Scope(new ContextScope(context, template.changes, globals));
}

const wrapped = (functions: Readonly<Record<string, TemplateFunction>>): Record<string, TemplateFunction> =>
  Object.fromEntries(Object.entries(functions).map(([name, body]) => [name, onPlainValues(body)]));

const onPlainValues =
  (body: TemplateFunction): TemplateFunction =>
  (args, named) =>
    body(args.map((arg) => toPlain(arg)), toPlain(named) as Record<string, unknown>); // prettier-ignore

function runOf(options: RenderOptions): Run {
  const { filters } = options;
  return {
    budget: new Budget(options.limits),
    lenient: options.missing === 'lenient',
    filter: filters === undefined ? builtInFilter : (name) => givenFilter(filters, name) ?? builtInFilter(name),
    test: builtInTest,
    datastore: options.datastore,
    decrypt: options.decrypt,
    random: options.random ?? Math.random,
  };
}

const builtInFilter = (name: string): Operation | undefined => findOperation(FILTERS, name);
const builtInTest = (name: string): Operation | undefined => findOperation(TESTS, name);

function givenFilter(filters: Readonly<Record<string, TemplateFunction>>, name: string): Operation | undefined {
  const body = Object.hasOwn(filters, name) ? filters[name] : undefined;
  if (body === undefined) return undefined;
  const plain = onPlainValues(body);
  return (_run, subject, args, named) => plain([subject, ...args], named);
}
