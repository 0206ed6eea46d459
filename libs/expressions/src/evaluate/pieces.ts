import { tagEnd } from '../jinja/expression';
import type { Language } from './language';

/** One `<% … %>` or `{{ … }}` in a text. */
export interface ExpressionPiece {
  readonly kind: Language;
  /** With its delimiters. */
  readonly text: string;
  /** What stands between them, without blanks around it. */
  readonly source: string;
  readonly offset: number;
}

export type Piece =
  | ExpressionPiece
  /** Plain text, or a block `{% … %}`; `{% raw %}` reaches to the end of its `{% endraw %}`. */
  | { readonly kind: 'text' | 'block'; readonly text: string; readonly offset: number };

const OPENING = /<%|\{\{|\{%/g;

/**
 * Cuts a text at its expressions. An expression may have several lines, and a closing delimiter inside one of its strings
 * does not end it; an opening delimiter without a closing one is plain text.
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

/** As the interface has it, `<% x %%>` is `x`: no expression begins or ends with a character of a delimiter. */
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
 * Where the expressions of a text end. Looking beyond closing delimiters in strings may have to read the whole text; it is
 * given up at the first expression that it finds no end for, so that no text takes more than a few passes.
 */
class Ends {
  private careful = true;
  /** What was not found once is not there further on. */
  private readonly absent = new Set<string>();

  constructor(private readonly text: string) {}

  /** The end of what opens at `at`; undefined when it does not end. */
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

/** Undefined where a quote is never closed, or all closing delimiters stand in what looks like a string. */
function yaqlEnd(text: string, at: number): number | undefined {
  YAQL_TOKEN.lastIndex = at + 2;
  for (let token = YAQL_TOKEN.exec(text); token !== null; token = YAQL_TOKEN.exec(text)) {
    if (token[0] === '%>') return YAQL_TOKEN.lastIndex;
    if (token[0].length === 1) break;
  }
  return undefined;
}
