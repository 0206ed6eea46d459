import { asFloat, asInt } from '../../jinja/values/number';
import { unescape, unescapeVerbatim } from './escapes';
import { inner } from '../values/text';
import { YaqlFailure } from '../values/failure';

/**
 * Kinds of tokens: `call` is a name directly followed by a bracket; `operator` includes brackets, commas and word
 * operators.
 */
type YaqlTokenKind = 'variable' | 'number' | 'call' | 'word' | 'literal' | 'text' | 'operator' | 'end';

export interface YaqlToken {
  readonly kind: YaqlTokenKind;
  /** The name of a variable (without `$`), call, word or operator, or the value of a number, text or literal. */
  readonly value: unknown;
  /** Offset in the trimmed expression, in UTF-16 units. */
  readonly position: number;
}

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

/** Splits an expression into tokens one at a time, so that the first error in reading order is reported. */
export class Lexer {
  private at = 0;

  constructor(readonly source: string) {}

  next(): YaqlToken {
    this.take(BLANKS);
    const position = this.at;
    if (position >= this.source.length) return { kind: 'end', value: undefined, position };
    const [kind, value] = this.scan(position);
    return { kind, value, position };
  }

  private scan(position: number): readonly [YaqlTokenKind, unknown] {
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

  /** `not(x)` is the operator before brackets; there is no function of that name. */
  private word(word: string, position: number): readonly [YaqlTokenKind, unknown] {
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
      // A backslash must not precede the end of a line.
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
  if (text.includes('.')) return asFloat(Number(text));
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : asInt(BigInt(text));
}

/** @param source the trimmed expression */
export function grammarProblem(source: string, token: YaqlToken): YaqlFailure {
  if (token.kind === 'end') {
    return new YaqlFailure('YaqlGrammarException', 'Parse error: unexpected end of statement', token.position);
  }
  const value = token.kind === 'variable' ? `$${String(token.value)}` : inner.text(token.value);
  const place = `position ${characters(source, token.position)} of expression '${source}'`;
  return new YaqlFailure('YaqlGrammarException', `Parse error: unexpected '${value}' at ${place}`, token.position);
}

function lexicalProblem(source: string, position: number): YaqlFailure {
  const char = String.fromCodePoint(source.codePointAt(position) ?? 0);
  const text = `Lexical error: illegal character '${char}' at position ${characters(source, position)}`;
  return new YaqlFailure('YaqlLexicalException', text, position);
}

export const nestingProblem = (position: number): YaqlFailure =>
  new YaqlFailure('YaqlGrammarException', 'Parse error: the expression is nested too deeply', position);

/** Messages count characters, not UTF-16 units. */
const characters = (source: string, position: number): number => [...source.slice(0, position)].length;
