import type { MessagingLogger } from '@switchyard/messaging';
import type { Gathered } from '@switchyard/testkit';

/** Records warnings and errors, one string each. */
export function gatheringLogger(log: Gathered<string>): MessagingLogger {
  const keep = (message: string, fields: Record<string, unknown> = {}): void =>
    log.add(`${message} ${JSON.stringify(fields)}`);
  return { debug: () => undefined, info: () => undefined, warn: keep, error: keep };
}

/** Delays for tests: failed messages are redelivered at once. */
export const QUICK = {
  redelivery: { initialMs: 1, factor: 1, maxMs: 1 },
  reconnection: { initialMs: 5, factor: 2, maxMs: 100 },
};
