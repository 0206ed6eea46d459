import { renderText, type Context, type RenderOptions } from '../jinja';
import { Interruption } from '../evaluate/scope';
import { isTemplateText } from '../jinja/template';
import { TextCache } from '../jinja/text-cache';

/**
 * Renders the pattern of a criterion, with the types that rule authors rely on: `{{ trigger.count }}` is a number or a list,
 * `pre-{{ trigger.id }}` a text. Each line's last expression is printed as JSON, and where all of it then is a JSON
 * document, that is the value; otherwise the text is (interface sheet "events", 2.3).
 * @throws JinjaError, MissingItem
 */
export function renderPattern(pattern: string, context: Context, options: RenderOptions): unknown {
  if (!isTemplateText(pattern)) return withoutLastNewline(pattern);
  const typed = typedForm.get(pattern, asTyped);
  const value = typed === '' ? undefined : json(renderedOrNothing(typed, context, options));
  return value === undefined ? renderText(pattern, context, options) : value;
}

/** As Jinja does with the text of every template. */
export const withoutLastNewline = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text);

/** By pattern; empty where nothing is printed. */
const typedForm = new TextCache<string>();

function asTyped(pattern: string): string {
  return pattern.includes('{{') ? pattern.split('\n').map(withTypedEnd).join('\n') : '';
}

/** The last expression of a line as a whole goes through the filter, not only the last operand in it. */
const LAST_EXPRESSION = /^(.*\{\{[-+]?)(.*?)([-+]?\}\}.*)$/s;

function withTypedEnd(line: string): string {
  const [, before, expression, after] = LAST_EXPRESSION.exec(line) ?? [];
  return expression === undefined ? line : `${before}(${expression}) | to_complex ${after}`;
}

/** Not everything can follow a filter; then the plain form says what is right, or wrong. */
function renderedOrNothing(typed: string, context: Context, options: RenderOptions): string | undefined {
  try {
    return renderText(typed, context, options);
  } catch (error) {
    if (error instanceof Interruption) throw error;
    return undefined;
  }
}

function json(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
