import { messageOf } from '@switchyard/base';
import { JinjaError } from '../jinja/values/jinja-error';
import { FAILURE_KINDS, type Language, type ExpressionPiece } from './pieces';
import { ExpressionError, Interruption } from './scope';

export const MIXED_LANGUAGES = 'Expression with multiple types is not supported.';

/** Turns a failed expression into the error that workflows show. Interruptions are returned unchanged. */
export function expressionFailure(language: Language, expression: string, error: unknown): Error {
  const interruption = interruptionIn(error);
  if (interruption !== undefined) return interruption;
  const message = failureText(language, expression, failureOf(error));
  const position = error instanceof ExpressionError ? error.position : undefined;
  return new ExpressionError(FAILURE_KINDS[language], message, expression, position, { cause: error });
}

/**
 * Hides the values in a failure but keeps the expression and the kind of failure. Errors raised before evaluation name
 * no values and are returned unchanged.
 */
export function withoutValues(failure: ExpressionError, mask: string): ExpressionError {
  const { kind, expression, position, cause } = failure;
  const language = LANGUAGES.find((each) => FAILURE_KINDS[each] === kind);
  if (cause === undefined || language === undefined) return failure;
  const message = failureText(language, expression, { kind: failureOf(cause).kind, message: mask });
  return new ExpressionError(kind, message, expression, position, { cause });
}

const LANGUAGES = Object.keys(FAILURE_KINDS) as Language[];

/** Finds an interruption that a language has wrapped in its own error. */
function interruptionIn(error: unknown): Interruption | undefined {
  if (error instanceof Interruption) return error;
  return error instanceof ExpressionError && error.cause instanceof Interruption ? error.cause : undefined;
}

interface Failure {
  readonly kind: string;
  readonly message: string;
}

function failureOf(error: unknown): Failure {
  if (error instanceof ExpressionError || error instanceof JinjaError) return error;
  if (error instanceof RangeError) return { kind: 'RecursionError', message: 'maximum recursion depth exceeded' };
  return { kind: error instanceof Error ? error.name : 'Error', message: messageOf(error) };
}

function failureText(language: Language, expression: string, { kind, message }: Failure): string {
  if (language === 'yaql' && kind === 'KeyError') {
    return `Unable to resolve key '${message.replace(/^'+|'+$/g, '')}' in expression '${expression}' from context.`;
  }
  return `Unable to evaluate expression '${expression}'. ${kind}: ${message}`;
}

/** The failure of Jinja expressions that resolve to a missing name, key or attribute. */
export const unresolved = (pieces: readonly ExpressionPiece[]): ExpressionError =>
  new ExpressionError(
    FAILURE_KINDS.jinja,
    `There are unresolved variables: ${pieces.map(({ source }) => source).join(', ')}`,
    pieces.map(({ text }) => text).join(', '),
  );
