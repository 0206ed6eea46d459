import { MINUTE_MS, messageOf } from '@switchyard/base';

/** What of a process tells of errors that nobody has caught. */
export interface ErrorSource {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
}

interface ErrorLog {
  error(message: string, fields?: Record<string, unknown>): void;
}

/** So many are written down in full within a minute; of the others only their number. */
const MOST_TOLD = 20;

/**
 * The last line of defence: an error that nobody has caught ends the request, message, timer or stream that it came from, and
 * is written to the log. The process goes on, since what counts is in the store, and is changed by compare-and-set only:
 * what failed half-way is taken up by a sweep or a recovery as if its process had died, and nothing else has to.
 */
export function outliveErrors(
  source: ErrorSource,
  logger: ErrorLog,
  now: () => number = () => performance.now(),
): void {
  let since = now();
  let count = 0;
  const tell = (what: string) => (error: unknown) => {
    if (now() - since > MINUTE_MS) {
      if (count > MOST_TOLD) logger.error(`${count - MOST_TOLD} more errors were not caught and not written down.`);
      since = now();
      count = 0;
    }
    count++;
    // Nobody is left to catch what the log throws.
    try {
      if (count <= MOST_TOLD) logger.error(`${what}: ${messageOf(error)}`, { error });
    } catch {
      return;
    }
  };
  source.on('uncaughtException', tell('An error was not caught'));
  source.on('unhandledRejection', tell('A rejection was not handled'));
}
