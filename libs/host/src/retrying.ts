import { backoffMs, SECOND_MS, type Backoff, type Clock } from '@switchyard/base';

const BACKOFF: Backoff = { initialMs: 500, factor: 2, maxMs: 10 * SECOND_MS };

export interface RetryOptions {
  clock: Pick<Clock, 'after'>;
  /** Called on each failure. Returns whether to try again; otherwise the error is rethrown. */
  again(error: unknown, attempt: number): boolean;
}

/** Retries an action that needs the store, with growing delays. */
export async function retrying<T>(action: () => Promise<T>, { clock, again }: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (!again(error, attempt)) throw error;
      await new Promise<void>((resolve) => clock.after(backoffMs(BACKOFF, attempt), resolve));
    }
  }
}
