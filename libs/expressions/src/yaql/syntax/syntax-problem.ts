import { inner } from '../values/text';
import { YaqlFailure } from '../values/failure';
import type { Token } from './token';

/** @param source the expression without blanks around it */
export function grammarProblem(source: string, token: Token): YaqlFailure {
  if (token.kind === 'end') {
    return new YaqlFailure('YaqlGrammarException', 'Parse error: unexpected end of statement', token.position);
  }
  const value = token.kind === 'variable' ? `$${String(token.value)}` : inner.text(token.value);
  const place = `position ${characters(source, token.position)} of expression '${source}'`;
  return new YaqlFailure('YaqlGrammarException', `Parse error: unexpected '${value}' at ${place}`, token.position);
}

export function lexicalProblem(source: string, position: number): YaqlFailure {
  const char = String.fromCodePoint(source.codePointAt(position) ?? 0);
  const text = `Lexical error: illegal character '${char}' at position ${characters(source, position)}`;
  return new YaqlFailure('YaqlLexicalException', text, position);
}

export const nestingProblem = (position: number): YaqlFailure =>
  new YaqlFailure('YaqlGrammarException', 'Parse error: the expression is nested too deeply', position);

/** Messages count characters, not UTF-16 units. */
const characters = (source: string, position: number): number => [...source.slice(0, position)].length;
