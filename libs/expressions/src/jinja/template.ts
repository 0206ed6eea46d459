import { isPlainObject } from '@switchyard/base';
import { CHANGING_METHODS } from './methods/list-methods';
import { GLOBALS } from './run/globals';
import { collectNames, type TemplateNames } from './syntax/names';
import type { TemplateBody, Expression } from './syntax/nodes';
import { parseTemplate } from './syntax/parse-template';
import { TextCache } from './text-cache';
import { JinjaError } from './values/jinja-error';

/** A parsed template. */
export interface CompiledTemplate extends TemplateNames {
  readonly source: string;
  readonly body: TemplateBody;
  /** The expression, if the text is exactly one `{{ … }}`. */
  readonly single: Expression | undefined;
}

/** A text counts as a template when it contains the start of an expression or of a block. */
export const isTemplateText = (text: string): boolean => text.includes('{{') || text.includes('{%');

const known: ReadonlySet<string> = new Set(Object.keys(GLOBALS));
const changing: ReadonlySet<string> = new Set(CHANGING_METHODS);

const cache = new TextCache<CompiledTemplate | JinjaError>();

/** Parses a template, or takes it from the cache. @throws JinjaError, kind TemplateSyntaxError */
export function templateOf(source: string): CompiledTemplate {
  const found = cache.get(source, compile);
  if (found instanceof JinjaError) throw found;
  return found;
}

function compile(source: string): CompiledTemplate | JinjaError {
  try {
    const body = parseTemplate(source);
    const [first] = body;
    const whole = body.length === 1 && first?.kind === 'output' && source.startsWith('{{') && source.endsWith('}}');
    return { source, body, single: whole ? first.value : undefined, ...collectNames(body, known, changing) };
  } catch (error) {
    // Not cached: a template too expensive for one unit of work may fit the next.
    if (error instanceof JinjaError && error.kind !== 'BudgetError') return error;
    if (error instanceof RangeError) return new JinjaError('TemplateSyntaxError', 'the template is nested too deeply');
    throw error;
  }
}

/** Whether a value contains a template: a text with `{{` or `{%`, at any depth of lists and objects, keys included. */
export function isTemplate(value: unknown): boolean {
  if (typeof value === 'string') return isTemplateText(value);
  if (Array.isArray(value)) return value.some(isTemplate);
  return isPlainObject(value) && Object.entries(value).some(([key, item]) => isTemplateText(key) || isTemplate(item));
}

/** The names that a template reads but does not set, in order. @throws JinjaError for an invalid template */
export const templateRoots = (source: string): readonly string[] => templateOf(source).roots;

/**
 * Parses a template; undefined for text that cannot be parsed and is taken literally.
 * @throws JinjaError, kind BudgetError, for one that is too long
 */
export function parsedTemplate(source: string): CompiledTemplate | undefined {
  try {
    return isTemplateText(source) ? templateOf(source) : undefined;
  } catch (error) {
    if (error instanceof JinjaError && error.kind !== 'BudgetError') return undefined;
    throw error;
  }
}

/** The syntax error of a template, or undefined. */
export function templateProblem(source: string): string | undefined {
  try {
    templateOf(source);
    return undefined;
  } catch (error) {
    if (error instanceof JinjaError) return error.message;
    throw error;
  }
}
