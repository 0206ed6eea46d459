import { recordedJson, recordedLines } from '@switchyard/testkit/recorded';
import { evaluateYaql, ExpressionError, type ExpressionScope } from '../../src';

/** One line of the recorded answers. */
export interface Answer {
  readonly expr: string;
  readonly result?: unknown;
  readonly error?: true;
}

/** The answers and the context with which they were recorded. */
export const readAnswers = (): { readonly context: Record<string, unknown>; readonly answers: Answer[] } => ({
  context: recordedJson('yaql-context.json'),
  answers: recordedLines('yaql.jsonl'),
});

/** The answer of this implementation in the same form. */
export function answerOf(expr: string, scope: ExpressionScope): Answer {
  try {
    const result = evaluateYaql(expr, scope);
    // The file was read as JSON, which has one number type.
    return { expr, result: typeof result === 'bigint' ? Number(result) : result };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { expr, error: true };
  }
}
