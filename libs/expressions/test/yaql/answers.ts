import { evaluateYaql, ExpressionError, type ExpressionScope } from '../../src';
import { scopeOf } from './host';

/** An expression and its value, or `fails('Class: message')`. */
export type Example = readonly [source: string, expected: unknown];

export interface Failing {
  readonly failure: string;
}

export const fails = (failure: string): Failing => ({ failure });

/** Evaluates every expression of a table. */
export function testAnswers(examples: readonly Example[], scope: ExpressionScope = scopeOf({})): void {
  test.each(examples)('%s', (source, expected) => {
    expect(outcome(source, scope)).toEqual(expected);
  });
}

function outcome(source: string, scope: ExpressionScope): unknown {
  try {
    return evaluateYaql(source, scope);
  } catch (error) {
    if (error instanceof ExpressionError) return fails(`${error.kind}: ${error.message}`);
    throw error;
  }
}
