import { CommandError, exitCodes } from '../exit-codes';

/**
 * Runs something that waits, with a signal that Ctrl-C (or SIGTERM) raises. The command then ends with the code of an
 * interruption and `hint`, which says what goes on without it.
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
