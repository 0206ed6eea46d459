import { isPlainObject } from '@switchyard/base';
import { isTemplateText, type Template, templateOf } from './template';
import { JinjaError } from './values/jinja-error';

/** Whether a value holds a template: a text with `{{` or `{%`, at any depth of lists and objects, keys included. */
export function isTemplate(value: unknown): boolean {
  if (typeof value === 'string') return isTemplateText(value);
  if (Array.isArray(value)) return value.some(isTemplate);
  return isPlainObject(value) && Object.entries(value).some(([key, item]) => isTemplateText(key) || isTemplate(item));
}

/** The names that a template reads without setting them itself, in order. @throws JinjaError for a text that is no template */
export const templateRoots = (source: string): readonly string[] => templateOf(source).roots;

/** The template of a text, or undefined when the text cannot be parsed and so stands for itself. @throws JinjaError, kind BudgetError, for one that is too long */
export function parsedTemplate(source: string): Template | undefined {
  try {
    return isTemplateText(source) ? templateOf(source) : undefined;
  } catch (error) {
    if (error instanceof JinjaError && error.kind !== 'BudgetError') return undefined;
    throw error;
  }
}

/** What is wrong with a template's syntax, or undefined. */
export function templateProblem(source: string): string | undefined {
  try {
    templateOf(source);
    return undefined;
  } catch (error) {
    if (error instanceof JinjaError) return error.message;
    throw error;
  }
}
