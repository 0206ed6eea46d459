import { Interruption } from '../evaluate/scope';
import { templateRoots, type Context, type RenderOptions } from '../jinja';
import { renderTemplate } from '../jinja/render';
import { isTemplateText, templateOf, type CompiledTemplate } from '../jinja/template';

/** The pattern of a criterion, rendered for each event. */
export interface Pattern {
  /** Whether it reads the datastore in its oldest form, `{{ system.name }}`. */
  readonly readsSystem: boolean;
  /** Whether the same values always give the same result. */
  readonly steady: boolean;
  /** @throws JinjaError, MissingItem */
  render(context: Context, options: RenderOptions): unknown;
}

/**
 * Compiles a pattern. It renders with the types that rule authors rely on: `{{ trigger.count }}` is a number or a list,
 * `pre-{{ trigger.id }}` a text. The last expression of each line is printed as JSON. If the whole text is then a JSON
 * document, that is the value; otherwise it is the text.
 */
export function compilePattern(text: string): Pattern {
  if (!isTemplateText(text)) return { readsSystem: false, steady: true, render: () => withoutLastNewline(text) };
  const typed = text.includes('{{') && !isNeverJson(text) ? parsing(asTyped(text)) : undefined;
  const plain = parsing(text);
  return {
    readsSystem: text.includes('system') && roots(text).includes('system'),
    steady: !text.includes('random'),
    render(context, options) {
      const value = typed && json(renderedOrNothing(typed, context, options));
      return value === undefined ? renderTemplate(plain(), context, options) : value;
    },
  };
}

/** Compiles and renders a pattern. @throws JinjaError, MissingItem */
export const renderPattern = (pattern: string, context: Context, options: RenderOptions): unknown =>
  compilePattern(pattern).render(context, options);

/** Jinja does the same with every template. */
export const withoutLastNewline = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text);

/** An invalid template throws on each call. */
function parsing(text: string): () => CompiledTemplate {
  let template: CompiledTemplate | undefined;
  return () => (template ??= templateOf(text));
}

function roots(text: string): readonly string[] {
  try {
    return templateRoots(text);
  } catch {
    // Rendering will report the error.
    return [];
  }
}

/**
 * Patterns that cannot render to JSON because of the text around their templates: no JSON begins like that, or it is
 * one expression followed by text that is not valid JSON after any value, not even a number.
 */
const isNeverJson = (text: string): boolean => PLAIN_BEGINNING.test(text) || PLAIN_END.test(text);

const PLAIN_BEGINNING = /^\s*[^\s{["\-\dtfn]/;
const PLAIN_END = /^\{\{(?:(?!\{[{%#]|\}\}|\n).)*\}\}\s*[^\s\d.eE{}][^{}]*$/;

const asTyped = (pattern: string): string => pattern.split('\n').map(withTypedEnd).join('\n');

/** The filter applies to the whole last expression of a line, not only to its last operand. */
const LAST_EXPRESSION = /^(.*\{\{[-+]?)(.*?)([-+]?\}\}.*)$/s;

function withTypedEnd(line: string): string {
  const [, before, expression, after] = LAST_EXPRESSION.exec(line) ?? [];
  return expression === undefined ? line : `${before}(${expression}) | to_complex ${after}`;
}

/** Some expressions cannot take the filter; then the plain form decides, or reports the error. */
function renderedOrNothing(
  typed: () => CompiledTemplate,
  context: Context,
  options: RenderOptions,
): string | undefined {
  try {
    return renderTemplate(typed(), context, options);
  } catch (error) {
    if (error instanceof Interruption) throw error;
    return undefined;
  }
}

function json(text: string | undefined): unknown {
  if (text === undefined || !looksLikeJson(text.trim())) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A quick check of both ends that avoids the cost of a parse error. */
function looksLikeJson(text: string): boolean {
  const last = text.at(-1) ?? '';
  const first = text[0] ?? '';
  if (first in CLOSED_BY) return last === CLOSED_BY[first];
  return /^(?:[-\d].*\d|\d|true|false|null)$/s.test(text);
}

const CLOSED_BY: Readonly<Record<string, string>> = { '"': '"', '{': '}', '[': ']' };
