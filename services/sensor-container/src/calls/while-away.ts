import { backoffMs, SECOND_MS, type Backoff, type Clock } from '@switchyard/base';
import { isUnreachable } from '@switchyard/storage';

const BACKOFF: Backoff = { initialMs: 200, factor: 2, maxMs: 5 * SECOND_MS };

export interface WaitOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** Told of each failure that is followed by a further try. */
  onFailure(error: unknown): void;
  /** No further tries once this is true. */
  gaveUp(): boolean;
}

/** Does something that needs the store, again and again while the store is away. Any other error is passed on at once. */
export async function whileAway<T>(action: () => Promise<T>, { clock, onFailure, gaveUp }: WaitOptions): Promise<T> {
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
