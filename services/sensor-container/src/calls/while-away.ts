import { backoffMs, SECOND_MS, type Backoff, type Clock } from '@switchyard/base';
import { isUnreachable } from '@switchyard/storage';

const BACKOFF: Backoff = { initialMs: 200, factor: 2, maxMs: 5 * SECOND_MS };

export interface AwayOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** Called for each failure that is followed by a retry. */
  onFailure(error: unknown): void;
  /** Stops retrying once this is true. */
  gaveUp(): boolean;
}

/** Retries an action while the store is unavailable. Any other error is rethrown at once. */
export async function whileAway<T>(action: () => Promise<T>, { clock, onFailure, gaveUp }: AwayOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (!isUnreachable(error) || gaveUp()) throw error;
      onFailure(error);
      await new Promise<void>((resolve) => clock.after(backoffMs(BACKOFF, attempt), resolve));
    }
  }
}
