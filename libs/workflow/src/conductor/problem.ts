import { ExpressionError, JinjaError } from '@switchyard/expressions';

/** A value of the definition that is not what it has to be. `kind` is the class that messages name; some name none. */
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
 * Evaluates something of the definition. What is wrong with it becomes a text for the error log; whatever else is thrown,
 * such as the wish for a value that has not been read yet, ends the call (I2).
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
