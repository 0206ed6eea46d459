import { float, int } from '../../jinja/values/number';
import { unescape, unescapeVerbatim } from './escapes';
import { lexicalProblem } from './syntax-problem';
import type { Token, TokenKind } from './token';

const BLANKS = /[ \t\r\n]*/y;
const VARIABLE = /\$[\p{L}\p{N}_]*/uy;
const NUMBER = /(?<![\p{L}\p{N}_])\d+(?:\.?\d+)?(?![\p{L}\p{N}_])/uy;
const WORD = /(?<![\p{L}\p{N}_])[\p{L}\p{Nl}\p{No}_][\p{L}\p{N}_]*/uy;
/** Longest first. */
const OPERATOR = /\?\.|=~|!~|->|=>|>=|<=|!=|[-.+*/><=[\](){},]/y;

const WORD_OPERATORS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'mod']);
const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Cuts an expression into tokens, one at a time, so that the first error in reading order is the one to be told. */
export class Lexer {
  private at = 0;

  constructor(readonly source: string) {}

  next(): Token {
    this.take(BLANKS);
    const position = this.at;
    if (position >= this.source.length) return { kind: 'end', value: undefined, position };
    const [kind, value] = this.scan(position);
    return { kind, value, position };
  }

  private scan(position: number): readonly [TokenKind, unknown] {
    const variable = this.take(VARIABLE);
    if (variable !== undefined) return ['variable', variable.slice(1)];
    const number = this.take(NUMBER);
    if (number !== undefined) return ['number', numberValue(number)];
    const word = this.take(WORD);
    if (word !== undefined) return this.word(word, position);
    const first = this.source.charAt(position);
    if (first === "'" || first === '"' || first === '`') return ['text', this.text(first, position)];
    const operator = this.take(OPERATOR);
    if (operator === undefined) throw lexicalProblem(this.source, position);
    return ['operator', operator];
  }

  /** `not(x)` is the operator with brackets behind it: there is no function of that name. */
  private word(word: string, position: number): readonly [TokenKind, unknown] {
    if (WORD_OPERATORS.has(word)) return ['operator', word];
    if (this.source.charAt(this.at) === '(') {
      this.at += 1;
      return ['call', word];
    }
    if (word.startsWith('__')) throw lexicalProblem(this.source, position);
    return LITERALS.has(word) ? ['literal', LITERALS.get(word)] : ['word', word];
  }

  private text(quote: string, position: number): string {
    for (let end = position + 1; end < this.source.length; end += 1) {
      const char = this.source.charAt(end);
      if (char === quote) {
        this.at = end + 1;
        const body = this.source.slice(position + 1, end);
        return quote === '`' ? unescapeVerbatim(body) : unescape(body);
      }
      if (char === '\\') end += 1;
      // A backslash may not stand before the end of a line.
      if (char === '\\' && this.source.charAt(end) === '\n') break;
    }
    throw lexicalProblem(this.source, position);
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

function numberValue(text: string): unknown {
  if (text.includes('.')) return float(Number(text));
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : int(BigInt(text));
}
