/** Kinds of tokens: `call` is a name glued to its opening bracket, `operator` also means brackets, commas and word operators. */
export type TokenKind = 'variable' | 'number' | 'call' | 'word' | 'literal' | 'text' | 'operator' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The name of a variable (without `$`), call, word or operator; the value of a number, text or literal. */
  readonly value: unknown;
  /** Offset in UTF-16 units of the stripped expression. */
  readonly position: number;
}
