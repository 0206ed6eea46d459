import { currentTurns } from '../turns/turns';
import { FILTERS } from './filters';
import { RenderBudget, type RenderLimits, guarded } from './run/budget';
import { evaluateNode } from './run/evaluate';
import { capture } from './run/execute';
import { globalScope } from './run/globals';
import { findOperation, type Operation } from './run/operation';
import type { DatastoreKey, JinjaRendering } from './run/run';
import { ContextScope, Scope } from './run/scope';
import { type CompiledTemplate, templateOf } from './template';
import { TESTS } from './tests';
import { plainFromJinja } from './values/plain';

/** A host function that templates may call, with plain values. */
export type TemplateFunction = (args: readonly unknown[], named: Readonly<Record<string, unknown>>) => unknown;

export interface RenderOptions {
  /** `strict` (the default): using a missing value fails; `lenient`: it prints nothing. */
  readonly missing?: 'strict' | 'lenient';
  /** Functions by name. */
  readonly functions?: Readonly<Record<string, TemplateFunction>>;
  /** Additional filters, which may replace built-in ones; the filtered value is the first argument. */
  readonly filters?: Readonly<Record<string, TemplateFunction>>;
  /** Reads a datastore item for `st2kv.…` and `svckv.…`; undefined when there is none. */
  readonly datastore?: (key: DatastoreKey) => string | undefined;
  /** For `decrypt_kv` on texts that are not datastore items. */
  readonly decrypt?: (ciphertext: string) => string;
  readonly limits?: RenderLimits;
  readonly random?: () => number;
}

export type Context = Readonly<Record<string, unknown>>;

/**
 * Renders a template to text as Jinja2 would (`True`, `None`, `2.0`, `['a', 1]`). Context values are data and never
 * read as templates.
 * @throws JinjaError
 */
export function renderText(source: string, context: Context, options: RenderOptions = {}): string {
  const turns = currentTurns();
  if (turns === undefined) return textOf(templateOf(source), context, options);
  const here = () => textOf(templateOf(source), context, options);
  return turns.evaluate({ language: 'template', form: 'text', source, context, options }, here);
}

/** `renderText` for a parsed template. @throws JinjaError */
export function renderTemplate(template: CompiledTemplate, context: Context, options: RenderOptions = {}): string {
  const turns = currentTurns();
  if (turns === undefined) return textOf(template, context, options);
  const { source } = template;
  const here = () => textOf(template, context, options);
  return turns.evaluate({ language: 'template', form: 'text', source, context, options }, here);
}

function textOf(template: CompiledTemplate, context: Context, options: RenderOptions): string {
  const run = runOf(options);
  return guarded(run.budget, () => capture(template.body, rootScope(template, context, options), run));
}

/** Like `renderText`, but a template that is exactly one expression gives its value as JSON data. */
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
  return guarded(run.budget, () => plainFromJinja(evaluateNode(single, rootScope(template, context, options), run)));
}

const plainGlobals = globalScope();

function rootScope(template: CompiledTemplate, context: Context, options: RenderOptions): Scope {
  const functions = options.functions;
  const globals = functions === undefined ? plainGlobals : globalScope(wrapped(functions));
  return new Scope(new ContextScope(context, template.changes, globals));
}

const wrapped = (functions: Readonly<Record<string, TemplateFunction>>): Record<string, TemplateFunction> =>
  Object.fromEntries(Object.entries(functions).map(([name, body]) => [name, onPlainValues(body)]));

const onPlainValues =
  (body: TemplateFunction): TemplateFunction =>
  (args, named) =>
    body(args.map((arg) => plainFromJinja(arg)), plainFromJinja(named) as Record<string, unknown>); // oxfmt-ignore

function runOf(options: RenderOptions): JinjaRendering {
  const { filters } = options;
  return {
    budget: new RenderBudget(options.limits),
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
