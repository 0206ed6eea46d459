import { backoffMs, SECOND_MS, type Backoff, type Clock } from '@switchyard/base';
import { isUnreachable } from '@switchyard/storage';

const BACKOFF: Backoff = { initialMs: 500, factor: 2, maxMs: 10 * SECOND_MS };

export interface RetryOptions {
  clock: Pick<Clock, 'after'>;
  /** Told of each failure that is followed by a further try. */
  onFailure(error: unknown, attempt: number): void;
  /** Failures after which the error is passed on; about five minutes when absent. */
  tries?: number;
}

const TRIES = 35;

/**
 * Does something that needs the store, again and again while the store is away. Any other error is passed on at once.
 */
export async function retrying<T>(
  action: () => Promise<T>,
  { clock, onFailure, tries = TRIES }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (!isUnreachable(error) || attempt >= tries) throw error;
      onFailure(error, attempt);
      await new Promise<void>((resolve) => clock.after(backoffMs(BACKOFF, attempt), resolve));
    }
  }
}
