import { backoffMs, messageOf, SECOND_MS, type Backoff, type Clock, type Id } from '@switchyard/base';
import { isUnreachable } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';

export interface AttemptsDeps {
  readonly clock: Pick<Clock, 'after'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** Does it. May be called again after it has failed. */
  readonly work: (id: Id) => Promise<void>;
  /** Takes note that it is not going to be done. */
  readonly giveUp: (id: Id) => Promise<void>;
}

/** Work that is tried until it is done. What is not done when the process ends is found by the sweep. */
export interface Attempts {
  /** Resolves after the first try, whatever came of it. A call for what is being tried already does nothing. */
  begin(id: Id): Promise<void>;
  /** No further tries; resolves when those under way have ended. */
  stop(): Promise<void>;
}

const BETWEEN: Backoff = { initialMs: 500, factor: 2, maxMs: 30 * SECOND_MS };
/** A store that is away says nothing about what was asked of it: those tries are not counted. */
const MOST_TRIES = 6;

export function createAttempts({ clock, logger, work, giveUp }: AttemptsDeps): Attempts {
  /** Those that are being tried, or wait for the next try, with what takes the waiting back. */
  const pending = new Map<Id, { failures: number; tries: number; cancel?: () => void }>();
  const running = new Set<Promise<void>>();
  let stopped = false;

  async function attempt(id: Id): Promise<void> {
    const state = pending.get(id);
    if (!state || stopped) return;
    delete state.cancel;
    state.tries++;
    try {
      await (state.failures < MOST_TRIES ? work(id) : abandoned(id, state.failures));
      pending.delete(id);
    } catch (error) {
      if (!isUnreachable(error)) state.failures++;
      const inMs = backoffMs(BETWEEN, state.tries);
      if (state.failures < MOST_TRIES)
        logger.warn('The end of an execution could not be told; trying again.', { ...about(id, error), in_ms: inMs });
      else logger.error('The end of an execution cannot be told; it is given up.', about(id, error));
      if (!stopped) state.cancel = clock.after(inMs, () => void run(id));
    }
  }

  async function abandoned(id: Id, failures: number): Promise<void> {
    await giveUp(id);
    logger.warn('Nobody is told about the end of this execution.', { execution_id: id, failures });
  }

  function run(id: Id): Promise<void> {
    const one = attempt(id).finally(() => running.delete(one));
    running.add(one);
    return one;
  }

  return {
    async begin(id) {
      if (stopped || pending.has(id)) return;
      pending.set(id, { failures: 0, tries: 0 });
      await run(id);
    },
    async stop() {
      stopped = true;
      for (const { cancel } of pending.values()) cancel?.();
      await Promise.all(running);
    },
  };
}

const about = (id: Id, error: unknown) => ({ execution_id: id, error: messageOf(error) });
