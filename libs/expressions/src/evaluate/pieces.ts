import { tagEnd } from '../jinja/expression';
import { TextCache } from '../jinja/text-cache';

export type Language = 'yaql' | 'jinja';

/** The error class that workflow messages name for each language. */
export const FAILURE_KINDS: Readonly<Record<Language, string>> = {
  yaql: 'YaqlEvaluationException',
  jinja: 'JinjaEvaluationException',
};

/** One `<% … %>` or `{{ … }}` in a text. */
export interface ExpressionPiece {
  readonly kind: Language;
  /** With its delimiters. */
  readonly text: string;
  /** The text between the delimiters, trimmed. */
  readonly source: string;
  readonly offset: number;
}

export type Piece =
  | ExpressionPiece
  /** Plain text, or a block `{% … %}`; `{% raw %}` extends to its `{% endraw %}`. */
  | { readonly kind: 'text' | 'block'; readonly text: string; readonly offset: number };

const OPENING = /<%|\{\{|\{%/g;

/**
 * Splits a text into expressions and plain text. An expression may span lines, and a closing delimiter inside one of
 * its strings does not end it; an unclosed opening delimiter is plain text.
 */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  const ends = new Ends(text);
  let from = 0;
  let search = 0;
  for (;;) {
    OPENING.lastIndex = search;
    const at = OPENING.exec(text)?.index;
    if (at === undefined) break;
    const end = ends.after(at);
    search = end ?? at + 2;
    if (end === undefined) continue;
    if (at > from) pieces.push({ kind: 'text', text: text.slice(from, at), offset: from });
    pieces.push(pieceOf(text.slice(at, end), at));
    from = end;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from), offset: from });
  return pieces;
}

function pieceOf(text: string, offset: number): Piece {
  if (text.startsWith('{%')) return { kind: 'block', text, offset };
  if (text.startsWith('<%')) return { kind: 'yaql', text, source: yaqlSource(text), offset };
  return { kind: 'jinja', text, source: text.slice(2, -2).trim(), offset };
}

/** As in the reference, `<% x %%>` is `x`: delimiter characters at the ends of an expression are dropped. */
function yaqlSource(text: string): string {
  let [from, to] = [2, text.length - 2];
  while (from < to && DELIMITING.has(text[from]!)) from += 1;
  while (from < to && DELIMITING.has(text[to - 1]!)) to -= 1;
  return text.slice(from, to).trim();
}

const DELIMITING: ReadonlySet<string> = new Set('<%>');

const RAW = /\{%[-+]?\s*raw\s*[-+]?%\}/y;
const END_RAW = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;

/**
 * Finds where the expressions of a text end. Skipping delimiters inside strings may mean reading the whole text, so the
 * search stops at the first expression without an end. That keeps any text to a few passes.
 */
class Ends {
  private careful = true;
  /** Delimiters not found once will not be found further on. */
  private readonly absent = new Set<string>();

  constructor(private readonly text: string) {}

  /** The end of the expression that opens at `at`; undefined when it is unclosed. */
  after(at: number): number | undefined {
    const closing = this.text.startsWith('{{', at) ? '}}' : this.text.startsWith('{%', at) ? '%}' : '%>';
    const raw = closing === '%}' ? this.rawEnd(at) : undefined;
    if (raw !== undefined) return raw;
    const plain = this.plainEnd(closing, at + 2);
    if (plain === undefined || !this.careful) return plain;
    const end = closing === '%>' ? yaqlEnd(this.text, at) : tagEnd(this.text, at);
    this.careful = end !== undefined;
    return end ?? plain;
  }

  private rawEnd(at: number): number | undefined {
    RAW.lastIndex = at;
    if (this.absent.has('endraw') || !RAW.test(this.text)) return undefined;
    END_RAW.lastIndex = RAW.lastIndex;
    if (END_RAW.test(this.text)) return END_RAW.lastIndex;
    this.absent.add('endraw');
    return undefined;
  }

  private plainEnd(closing: string, from: number): number | undefined {
    const found = this.absent.has(closing) ? -1 : this.text.indexOf(closing, from);
    if (found >= 0) return found + closing.length;
    this.absent.add(closing);
    return undefined;
  }
}

const YAQL_TOKEN = /%>|'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`|['"`]/g;

/** Undefined when a quote is never closed, or every closing delimiter looks like part of a string. */
function yaqlEnd(text: string, at: number): number | undefined {
  YAQL_TOKEN.lastIndex = at + 2;
  for (let token = YAQL_TOKEN.exec(text); token !== null; token = YAQL_TOKEN.exec(text)) {
    if (token[0] === '%>') return YAQL_TOKEN.lastIndex;
    if (token[0].length === 1) break;
  }
  return undefined;
}

/** How to evaluate a text. */
export type TextPlan =
  | { readonly kind: 'literal' }
  /** Both languages in one text, which the reference rejects. */
  | { readonly kind: 'mixed' }
  /** The text is one expression and nothing else: its value keeps its type. */
  | { readonly kind: 'whole'; readonly piece: ExpressionPiece }
  /** Expressions of one language inside text: each is replaced by its text. */
  | { readonly kind: 'parts'; readonly language: Language; readonly pieces: readonly Piece[] }
  /** A Jinja template with blocks, rendered as a whole. */
  | { readonly kind: 'template'; readonly pieces: readonly Piece[] };

const plans = new TextCache<TextPlan>();

const LITERAL: TextPlan = { kind: 'literal' };
const DELIMITER = /<%|\{[{%]/;

export const planOf = (text: string): TextPlan => (DELIMITER.test(text) ? plans.get(text, makePlan) : LITERAL);

function makePlan(text: string): TextPlan {
  const pieces = piecesOf(text);
  const yaql = pieces.some(({ kind }) => kind === 'yaql');
  const blocks = pieces.some(({ kind }) => kind === 'block');
  const jinja = blocks || pieces.some(({ kind }) => kind === 'jinja');
  if (yaql && jinja) return { kind: 'mixed' };
  if (!yaql && !jinja) return LITERAL;
  if (blocks) return { kind: 'template', pieces };
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && isExpressionPiece(only)) return { kind: 'whole', piece: only };
  return { kind: 'parts', language: yaql ? 'yaql' : 'jinja', pieces };
}

export const isExpressionPiece = (piece: Piece): piece is ExpressionPiece =>
  piece.kind === 'yaql' || piece.kind === 'jinja';

/** Whether a text contains an expression or a template block. */
export const isExpression = (text: string): boolean => planOf(text).kind !== 'literal';

/** Whether a text is exactly one expression without surrounding blanks, so that its value keeps its type. */
export const isWholeExpression = (text: string): boolean => planOf(text).kind === 'whole';
