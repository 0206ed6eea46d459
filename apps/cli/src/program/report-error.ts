import { messageOf } from '@switchyard/base';
import { ApiError, ConnectionError } from '@switchyard/client';
import { CommandError, exitCodes, OperationFailed } from '../exit-codes';
import type { CommandContext } from './command-context';

/** Prints an error in one line on stderr, with a stack trace for `--debug`. Returns the exit code. */
export function reportError(error: unknown, context: CommandContext, debug: boolean): number {
  if (error instanceof OperationFailed) {
    const code = reportError(error.cause, context, debug);
    return code === exitCodes.failed.code && error.cause instanceof ApiError ? exitCodes.usage.code : code;
  }
  context.terminal.stderr.write(`ERROR: ${oneLine(explanation(error, context))}\n`);
  if (debug && error instanceof Error && error.stack) context.terminal.stderr.write(`${stackOf(error)}\n`);
  return error instanceof CommandError ? error.exitCode : exitCodes.failed.code;
}

function explanation(error: unknown, context: CommandContext): string {
  if (error instanceof ApiError) {
    const hint = error.status === 401 ? context.refused() : undefined;
    return [withStop(error.faultstring), ...(hint ? [hint] : []), `(HTTP ${error.status})`].join(' ');
  }
  if (error instanceof ConnectionError || error instanceof CommandError) return error.message;
  return messageOf(error);
}

const withStop = (text: string): string => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);
const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ');

/** The stack trace without the message, which has already been printed. */
const stackOf = (error: Error): string =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
