import { ApiError } from '@switchyard/client';
import type { Status } from '@switchyard/model';

/** How the command ends. `svc --help` shows this table. */
export const exitCodes = {
  ok: { code: 0, meaning: 'success' },
  failed: { code: 1, meaning: 'an error, a missing resource, or a failed execution' },
  usage: { code: 2, meaning: 'wrong usage, or a refused create, update, delete or cancel' },
  printedConfig: { code: 3, meaning: 'after --print-config' },
  timeout: { code: 4, meaning: 'the execution timed out' },
  canceled: { code: 5, meaning: 'the execution was canceled' },
  abandoned: { code: 6, meaning: 'the execution was abandoned because its runner died' },
  unsettled: { code: 7, meaning: 'the execution is paused or waits for an answer' },
  interrupted: { code: 130, meaning: 'interrupted (Ctrl-C); a started execution continues' },
  brokenPipe: { code: 141, meaning: 'the reader of the output closed it' },
} as const;

/** The exit code for the last status of an execution. */
export function statusExitCode(status: Status): number {
  switch (status) {
    case 'succeeded':
      return exitCodes.ok.code;
    case 'failed':
      return exitCodes.failed.code;
    case 'timeout':
      return exitCodes.timeout.code;
    case 'canceled':
      return exitCodes.canceled.code;
    case 'abandoned':
      return exitCodes.abandoned.code;
    default:
      return exitCodes.unsettled.code;
  }
}

/** Ends a command with a message and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed.code,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const usageError = (message: string): CommandError => new CommandError(message, exitCodes.usage.code);

/** Runs a change. If the server refuses it, the command ends with the exit code for refused operations. */
export async function asOperation<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw new OperationFailed(error);
  }
}

/** Like `asOperation`, for a change of something that has to exist: if it does not, the command ends as for any missing resource. */
export async function asChangeOfExisting<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw error instanceof ApiError && error.status === 404 ? error : new OperationFailed(error);
  }
}

export class OperationFailed extends Error {
  override readonly name = 'OperationFailed';
  constructor(override readonly cause: unknown) {
    super('The operation failed.');
  }
}

/**
 * Runs something that waits, with a signal that aborts on Ctrl-C or SIGTERM. The command then ends with the exit code for
 * interruptions and `hint`, which says what continues.
 */
export async function interruptible<T>(hint: () => string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await run(interruption.signal);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    throw new CommandError(`Interrupted. ${hint()}`, exitCodes.interrupted.code);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
