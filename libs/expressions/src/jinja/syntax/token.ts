import { allowance } from '../../allowance';
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

/** No template that somebody has written has more; a text that is none may have millions of what looks like some. */
const MOST_TOKENS = 100_000;

/** What a token costs of what all templates of a piece of work may cost together: parsing does not wait. */
const STEPS = 50;

/** @throws JinjaError, kind BudgetError */
export function checkTokens(count: number): void {
  if (count <= MOST_TOKENS) return;
  throw new JinjaError('BudgetError', `The template has more than the ${MOST_TOKENS} tokens that it may have.`);
}

/** Pays for what was read of a template. @throws JinjaError, kind BudgetError */
export function chargeTokens(count: number): void {
  const shared = allowance();
  shared?.spend(count * STEPS);
  if (shared?.stepsLeft !== 0) return;
  const most = `${shared.limits.steps} steps that they may take together`;
  throw new JinjaError('BudgetError', `The templates need more than the ${most}, of which each token takes ${STEPS}.`);
}
