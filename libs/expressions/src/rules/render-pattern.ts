import { Interruption } from '../evaluate/scope';
import { templateRoots, type Context, type RenderOptions } from '../jinja';
import { renderTemplate } from '../jinja/render';
import { isTemplateText, templateOf, type Template } from '../jinja/template';

/** The pattern of a criterion, which is rendered for each event. */
export interface Pattern {
  /** Whether it reads the datastore in the oldest way, `{{ system.name }}`. */
  readonly readsSystem: boolean;
  /** Whether it comes to the same whenever it is rendered with the same values. */
  readonly steady: boolean;
  /** @throws JinjaError, MissingItem */
  render(context: Context, options: RenderOptions): unknown;
}

/**
 * Prepares a pattern. It renders with the types that rule authors rely on: `{{ trigger.count }}` is a number or a list,
 * `pre-{{ trigger.id }}` a text. Each line's last expression is printed as JSON, and where all of it then is a JSON
 * document, that is the value; otherwise the text is (interface sheet "events", 2.3).
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

/** Renders a pattern that is rendered once. @throws JinjaError, MissingItem */
export const renderPattern = (pattern: string, context: Context, options: RenderOptions): unknown =>
  compilePattern(pattern).render(context, options);

/** As Jinja does with the text of every template. */
export const withoutLastNewline = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text);

/** What is no template says so each time. */
function parsing(text: string): () => Template {
  let template: Template | undefined;
  return () => (template ??= templateOf(text));
}

function roots(text: string): readonly string[] {
  try {
    return templateRoots(text);
  } catch {
    // Rendering tells what is wrong with it.
    return [];
  }
}

/**
 * Patterns that can be told to render to a plain text by what stands around their templates: no JSON begins like that, or it
 * is one expression, and what follows makes no JSON of any value, not even of a number, which may go on.
 */
const isNeverJson = (text: string): boolean => PLAIN_BEGINNING.test(text) || PLAIN_END.test(text);

const PLAIN_BEGINNING = /^\s*[^\s{["\-\dtfn]/;
const PLAIN_END = /^\{\{(?:(?!\{[{%#]|\}\}|\n).)*\}\}\s*[^\s\d.eE{}][^{}]*$/;

const asTyped = (pattern: string): string => pattern.split('\n').map(withTypedEnd).join('\n');

/** The last expression of a line as a whole goes through the filter, not only the last operand in it. */
const LAST_EXPRESSION = /^(.*\{\{[-+]?)(.*?)([-+]?\}\}.*)$/s;

function withTypedEnd(line: string): string {
  const [, before, expression, after] = LAST_EXPRESSION.exec(line) ?? [];
  return expression === undefined ? line : `${before}(${expression}) | to_complex ${after}`;
}

/** Not everything can follow a filter; then the plain form says what is right, or wrong. */
function renderedOrNothing(typed: () => Template, context: Context, options: RenderOptions): string | undefined {
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

/** Most texts are told apart by their ends, without the cost of an error. */
function looksLikeJson(text: string): boolean {
  const last = text.at(-1) ?? '';
  const first = text[0] ?? '';
  if (first in CLOSED_BY) return last === CLOSED_BY[first];
  return /^(?:[-\d].*\d|\d|true|false|null)$/s.test(text);
}

const CLOSED_BY: Readonly<Record<string, string>> = { '"': '"', '{': '}', '[': ']' };
