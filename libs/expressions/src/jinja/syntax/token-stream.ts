import { allowance } from '../../allowance';
import { JinjaError } from '../values/jinja-error';

export type JinjaTokenKind =
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

export interface JinjaToken {
  readonly kind: JinjaTokenKind;
  /** The text of a name or operator, or the value of a string or number. */
  readonly value: unknown;
}

const DESCRIPTIONS: Partial<Record<JinjaTokenKind, string>> = {
  data: 'template data / text',
  variable_begin: 'begin of print statement',
  variable_end: 'end of print statement',
  block_begin: 'begin of statement block',
  block_end: 'end of statement block',
  eof: 'end of template',
};

/** How Jinja2 describes a token in syntax errors. */
export const describe = (token: JinjaToken): string =>
  token.kind === 'name' || token.kind === 'operator' ? String(token.value) : (DESCRIPTIONS[token.kind] ?? token.kind);

export const syntaxError = (message: string): JinjaError => new JinjaError('TemplateSyntaxError', message);

/** More than any real template has; arbitrary text may contain millions of apparent tokens. */
const MOST_TOKENS = 100_000;

/** Steps that each token costs the allowance: parsing does not yield. */
const STEPS = 50;

/** @throws JinjaError, kind BudgetError */
export function checkTokens(count: number): void {
  if (count <= MOST_TOKENS) return;
  throw new JinjaError('BudgetError', `The template exceeds the limit of ${MOST_TOKENS} tokens.`);
}

/** Charges for the tokens read. @throws JinjaError, kind BudgetError */
export function chargeTokens(count: number): void {
  const shared = allowance();
  shared?.spend(count * STEPS);
  if (shared?.stepsLeft !== 0) return;
  throw new JinjaError(
    'BudgetError',
    `The templates together exceed their limit of ${shared.limits.steps} steps; each token takes ${STEPS}.`,
  );
}

/** Reads the tokens of a template in order. */
export class TokenStream {
  private position = 0;

  constructor(private readonly tokens: readonly JinjaToken[]) {}

  get current(): JinjaToken {
    return this.tokens[this.position] ?? { kind: 'eof', value: null };
  }

  get next(): JinjaToken {
    return this.tokens[this.position + 1] ?? { kind: 'eof', value: null };
  }

  is(kind: JinjaTokenKind, value?: string): boolean {
    return this.current.kind === kind && (value === undefined || this.current.value === value);
  }

  isOneOf(kind: JinjaTokenKind, values: readonly string[]): boolean {
    return this.current.kind === kind && values.includes(String(this.current.value));
  }

  take(): JinjaToken {
    const token = this.current;
    this.position += 1;
    return token;
  }

  /** Consumes the token if it matches. */
  skip(kind: JinjaTokenKind, value?: string): boolean {
    if (!this.is(kind, value)) return false;
    this.position += 1;
    return true;
  }

  expect(kind: JinjaTokenKind, value?: string): JinjaToken {
    if (this.is(kind, value)) return this.take();
    const expected = value ?? describe({ kind, value: kind });
    if (this.current.kind === 'eof') throw syntaxError(`unexpected end of template, expected '${expected}'.`);
    throw syntaxError(`expected token '${expected}', got '${describe(this.current)}'`);
  }

  expectName(): string {
    return String(this.expect('name').value);
  }

  unexpected(): never {
    throw syntaxError(`unexpected '${describe(this.current)}'`);
  }
}
