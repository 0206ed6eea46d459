import { JinjaError } from '../values/jinja-error';

export type TokenKind =
  | 'data'
  | 'variable_begin'
  | 'variable_end'
  | 'block_begin'
  | 'block_end'
  | 'name'
  | 'string'
  | 'integer'
  | 'float'
  | 'operator'
  | 'eof';

export interface Token {
  readonly kind: TokenKind;
  /** The text of names and operators, the value of strings and numbers. */
  readonly value: unknown;
}

const DESCRIPTIONS: Partial<Record<TokenKind, string>> = {
  data: 'template data / text',
  variable_begin: 'begin of print statement',
  variable_end: 'end of print statement',
  block_begin: 'begin of statement block',
  block_end: 'end of statement block',
  eof: 'end of template',
};

/** The words that Jinja2 has for a token in its syntax errors. */
export const describe = (token: Token): string =>
  token.kind === 'name' || token.kind === 'operator' ? String(token.value) : (DESCRIPTIONS[token.kind] ?? token.kind);

export const syntaxError = (message: string): JinjaError => new JinjaError('TemplateSyntaxError', message);
