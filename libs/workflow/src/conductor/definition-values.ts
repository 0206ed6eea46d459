import { ExpressionError, JinjaError } from '@switchyard/expressions';
import { isPlainObject } from '@switchyard/base';

/** An invalid value in the definition. `kind` is the error class that messages name, if any. */
export class DefinitionProblem extends Error {
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

export const typeProblem = (message: string): DefinitionProblem => new DefinitionProblem('TypeError', message);

export type Attempt<T> = { readonly value: T } | { readonly problem: string };

/**
 * Evaluates part of the definition. Its errors become texts for the error log; anything else thrown, such as a request
 * for a value that has not been read yet, ends the call (I2).
 */
export function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof JinjaError || error instanceof DefinitionProblem) {
      return { problem: error.kind === '' ? error.message : `${error.kind}: ${error.message}` };
    }
    throw error;
  }
}

export const isProblem = <T>(outcome: Attempt<T>): outcome is { readonly problem: string } => 'problem' in outcome;

const WHOLE = /^\s*[+-]?\d+\s*$/;

/** A whole number, possibly given as text; undefined for anything else. */
export function asWholeNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && WHOLE.test(value)) return Number(value);
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

/** A non-negative number, possibly given as text; undefined for anything else. */
export function number(value: unknown): number | undefined {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) && parsed >= 0 ? parsed : undefined;
}

/** Whether a condition holds, as in Python: none, false, zero and empty values do not; any other text does. */
export function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isPlainObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}
