import type { Status } from '@switchyard/model';

/** How the command ends. The texts are the table that `svc --help` shows. */
export const exitCodes = {
  ok: { code: 0, meaning: 'success' },
  failed: { code: 1, meaning: 'an error, something that does not exist, or an execution that failed' },
  usage: { code: 2, meaning: 'wrong usage, or a create, update, delete or cancel that was refused' },
  printedConfig: { code: 3, meaning: 'after --print-config' },
  timeout: { code: 4, meaning: 'the execution ran into its timeout' },
  canceled: { code: 5, meaning: 'the execution was canceled' },
  abandoned: { code: 6, meaning: 'the execution was abandoned: its runner is gone' },
  unsettled: { code: 7, meaning: 'the execution is paused or waits for an answer' },
  interrupted: { code: 130, meaning: 'interrupted (Ctrl-C); an execution that was started goes on' },
  brokenPipe: { code: 141, meaning: 'nobody reads the output any more' },
} as const;

/** The exit code for the status in which an execution was left. */
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

/** Ends a command with a message and a code of its own. */
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

/** Runs a change; what the server refuses then ends with the code of failed operations. */
export async function operation<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw new OperationFailed(error);
  }
}

export class OperationFailed extends Error {
  override readonly name = 'OperationFailed';
  constructor(override readonly cause: unknown) {
    super('The operation failed.');
  }
}
