import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { evaluateYaql, ExpressionError, type ExpressionScope } from '../../src';

/** One line of the recorded answers. */
export interface Answer {
  readonly expr: string;
  readonly result?: unknown;
  readonly error?: true;
}

const folder = resolve(__dirname, '../../../../../shared/conformance');

/** The answers and the context that they were recorded over; undefined where they are not beside this checkout. */
export function readAnswers(): { readonly context: Record<string, unknown>; readonly answers: Answer[] } | undefined {
  const path = resolve(folder, 'yaql.jsonl');
  if (!existsSync(path)) return undefined;
  const context = JSON.parse(readFileSync(resolve(folder, 'yaql-context.json'), 'utf8')) as Record<string, unknown>;
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return { context, answers: lines.map((line) => JSON.parse(line) as Answer) };
}

/** Our answer in the same form. */
export function answerOf(expr: string, scope: ExpressionScope): Answer {
  try {
    const result = evaluateYaql(expr, scope);
    // JSON has one kind of number, and the file was read with it.
    return { expr, result: typeof result === 'bigint' ? Number(result) : result };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { expr, error: true };
  }
}
