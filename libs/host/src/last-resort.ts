import { MINUTE_MS, messageOf } from '@switchyard/base';

/** The process events that report uncaught errors. */
export interface ErrorSource {
  on(event: ErrorEvent, listener: (error: unknown) => void): unknown;
  off(event: ErrorEvent, listener: (error: unknown) => void): unknown;
}

type ErrorEvent = 'uncaughtException' | 'unhandledRejection';

interface ErrorLog {
  error(message: string, fields?: Record<string, unknown>): void;
}

/** At most this many errors per minute are logged in full; the rest are only counted. */
const MOST_TOLD = 20;

/**
 * Handles uncaught errors: the error ends the request, message, timer or stream that it came from and is logged. The
 * process keeps running. That is safe because all state that matters is in the store and changes only by
 * compare-and-set: a sweep or a recovery picks up half-finished work as if the process had died.
 * @returns ends that
 */
export function outliveErrors(
  source: ErrorSource,
  logger: ErrorLog,
  now: () => number = () => performance.now(),
): () => void {
  let since = now();
  let count = 0;
  const tell = (what: string) => (error: unknown) => {
    if (now() - since > MINUTE_MS) {
      if (count > MOST_TOLD) logger.error(`${count - MOST_TOLD} more uncaught errors were not logged.`);
      since = now();
      count = 0;
    }
    count++;
    // If logging itself throws, there is nothing left to do.
    try {
      if (count <= MOST_TOLD) logger.error(`${what}: ${messageOf(error)}`, { error });
    } catch {
      return;
    }
  };
  const onError = tell('An error was not caught');
  const onRejection = tell('A rejection was not handled');
  source.on('uncaughtException', onError);
  source.on('unhandledRejection', onRejection);
  return () => {
    source.off('uncaughtException', onError);
    source.off('unhandledRejection', onRejection);
  };
}
