import { type Id, backoffMs, messageOf, SECOND_MS, type Backoff, type Clock } from '@switchyard/base';
import { createService, dropAll, type Service } from '@switchyard/host';
import type { Bus, Consumer } from '@switchyard/messaging';
import { isTerminal } from '@switchyard/model';
import { isUnreachable } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import { tellOf, type TellDeps } from './tell-end';

export interface NotifierDeps extends TellDeps {
  bus: Bus;
}

const PREFETCH = 50;

/**
 * Announces changes of executions to the rest of the system. Any number of notifiers may run.
 *
 * 1. The process that records the end of an execution marks it as due for the notifier if there is something to do: it has
 *    notifications, a policy may retry it, or a rule listens to ends. The notifier never reads other executions.
 * 2. The mark is removed when everything is in the store. If the process stops before that, the work is done again. Each
 *    effect has a key, so that it happens once.
 * 3. Failures are retried with growing delays: those of the store without limit, others a few times.
 */
export function createNotifier(deps: NotifierDeps): Service {
  const { bus, clock, logger } = deps;
  const { records } = deps.executions;
  let consumer: Consumer | undefined;

  async function tell(id: Id): Promise<void> {
    const record = await records.get(id);
    if (!record?.due?.includes('notifier')) return;
    await tellOf(deps, record);
    // Keep the mark of a status that was entered meanwhile.
    if (isTerminal(record.status)) await records.settle([id], 'notifier');
    else await records.settleAt(record, 'notifier');
  }

  const attempts = createAttempts({
    clock,
    logger,
    work: tell,
    giveUp: (id) => records.settle([id], 'notifier'),
  });

  return createService({
    name: 'notifier',
    bus,
    async start() {
      consumer = await bus.consume(
        'notifiers.execution.work',
        { prefetch: PREFETCH, name: 'notifier' },
        async ({ id, due }) => {
          if (due?.includes('notifier')) await attempts.begin(id);
        },
      );
    },
    async stop() {
      await consumer?.stop();
      await attempts.stop();
    },
    kill: () => dropAll([consumer, attempts]),
  });
}

interface AttemptsDeps {
  readonly clock: Pick<Clock, 'after'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** Does the work. May be called again after a failure. */
  readonly work: (id: Id) => Promise<void>;
  /** Records that the work was given up. */
  readonly giveUp: (id: Id) => Promise<void>;
}

/** Retries work until it is done. The sweep finds work that is not done when the process ends. */
interface Attempts {
  /** Resolves after the first attempt, whatever its outcome. Does nothing for work that is already being attempted. */
  begin(id: Id): Promise<void>;
  /** Makes no further attempts; resolves when those in progress have ended. */
  stop(): Promise<void>;
}

const BETWEEN: Backoff = { initialMs: 500, factor: 2, maxMs: 30 * SECOND_MS };
/** Attempts that fail because the store is unavailable are not counted. */
const MOST_TRIES = 6;

export function createAttempts({ clock, logger, work, giveUp }: AttemptsDeps): Attempts {
  /** Work that is being attempted or waits for a retry, with a function that cancels the wait. */
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
        logger.warn('Failed to notify of the end of an execution; retrying.', { ...about(id, error), in_ms: inMs });
      else logger.error('Giving up on the notification of a finished execution.', about(id, error));
      if (!stopped) state.cancel = clock.after(inMs, () => void run(id));
    }
  }

  async function abandoned(id: Id, failures: number): Promise<void> {
    await giveUp(id);
    logger.warn('No notification will be sent for the end of this execution.', { execution_id: id, failures });
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
