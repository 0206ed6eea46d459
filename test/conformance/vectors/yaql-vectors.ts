import { evaluate, ExpressionError, workflowFunctions, type ExpressionScope } from '@switchyard/expressions';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerOf, difference } from './compare';
import { filesOf, linesOf } from './vector-files';
import type { Vector, VectorKind } from './vector-kind';

interface ExpressionLine {
  readonly expr: string;
  readonly result?: unknown;
  readonly error?: boolean;
  /** The text of the recorded error, only as a hint. */
  readonly note?: string;
}

/** Expressions are evaluated as in a workflow, with the variables of `yaql-context.json`. */
export const yaqlVectors: VectorKind = {
  name: 'yaql',
  files: (folder) => filesOf(folder, /^yaql/),
  read: (folder, file) => {
    const variables = JSON.parse(readFileSync(join(folder, 'yaql-context.json'), 'utf8')) as Record<string, unknown>;
    const functions = workflowFunctions({ variables, taskStatus: () => undefined });
    const scope: ExpressionScope = { variables, functions };
    return (linesOf(folder, file) as ExpressionLine[]).map((line) => vector(line, scope));
  },
};

const vector = ({ expr, result, error, note = 'error' }: ExpressionLine, scope: ExpressionScope): Vector => ({
  key: expr,
  check: () =>
    difference(
      error === true ? { refused: note } : { value: result },
      answerOf(() => evaluate(`<% ${expr} %>`, scope), isRefusal),
    ),
});

const isRefusal = (thrown: unknown): thrown is Error => thrown instanceof ExpressionError;
