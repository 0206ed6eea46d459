import { CHANGING_METHODS } from './methods/list-methods';
import { GLOBALS } from './run/globals';
import { collectNames, type TemplateNames } from './syntax/names';
import type { Body, Expression } from './syntax/nodes';
import { parseTemplate } from './syntax/parse-template';
import { TextCache } from './text-cache';
import { JinjaError } from './values/jinja-error';

/** A parsed template. */
export interface Template extends TemplateNames {
  readonly source: string;
  readonly body: Body;
  /** The expression, when the text is `{{ … }}` and nothing else. */
  readonly single: Expression | undefined;
}

/** Text counts as a template when it contains the start of an expression or of a block. */
export const isTemplateText = (text: string): boolean => text.includes('{{') || text.includes('{%');

const known: ReadonlySet<string> = new Set(Object.keys(GLOBALS));
const changing: ReadonlySet<string> = new Set(CHANGING_METHODS);

const cache = new TextCache<Template | JinjaError>();

/** The template of a text; parsed once, the most recently used ones are kept. @throws JinjaError, kind TemplateSyntaxError */
export function templateOf(source: string): Template {
  const found = cache.get(source, compile);
  if (found instanceof JinjaError) throw found;
  return found;
}

function compile(source: string): Template | JinjaError {
  try {
    const body = parseTemplate(source);
    const [first] = body;
    const whole = body.length === 1 && first?.kind === 'output' && source.startsWith('{{') && source.endsWith('}}');
    return { source, body, single: whole ? first.value : undefined, ...collectNames(body, known, changing) };
  } catch (error) {
    // What was too much for one piece of work may not be for the next.
    if (error instanceof JinjaError && error.kind !== 'BudgetError') return error;
    if (error instanceof RangeError) return new JinjaError('TemplateSyntaxError', 'the template is nested too deeply');
    throw error;
  }
}
