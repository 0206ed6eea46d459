import { messageOf } from '@switchyard/base';
import { ExpressionError } from '../evaluate/scope';
import { JinjaError } from '../jinja/values/jinja-error';
import { memoryExceeded, recursionExceeded } from './run/budget';
import { YaqlFailure } from './values/failure';

/** Converts any error in an expression, host functions included, to the ExpressionError that workflows show. */
export function expressionError(error: unknown, source: string): ExpressionError {
  const { kind, message, position } = known(error);
  return new ExpressionError(kind, message, source, placeIn(source, position), { cause: error });
}

interface Known {
  readonly kind: string;
  readonly message: string;
  readonly position?: number | undefined;
}

function known(error: unknown): Known {
  if (error instanceof YaqlFailure || error instanceof ExpressionError) return error;
  // The arithmetic shared with Jinja refuses integers of thousands of digits.
  if (error instanceof JinjaError) return error.message === 'int too large' ? memoryExceeded() : error;
  if (error instanceof RangeError) return /stack/i.test(error.message) ? recursionExceeded() : memoryExceeded();
  return { kind: error instanceof Error ? error.name : 'Error', message: messageOf(error) };
}

/** Positions in errors refer to the trimmed expression. */
const placeIn = (source: string, position: number | undefined): number | undefined =>
  position === undefined ? undefined : position + (source.length - source.trimStart().length);
