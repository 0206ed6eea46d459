import { deferred, messageOf, MS_MICROS, SECOND_MS, type Deferred, type Id, type Micros } from '@switchyard/base';
import { isUnreachable } from '@switchyard/storage';
import { type Engine, LostRun, type RunEvent } from './run';

/**
 * Processes the events of each run one batch at a time. Events that arrive during a turn wait for the next one. After a failed turn, the
 * run gets another one soon.
 */
export interface Mailbox {
  /** Resolves when the turn that processed the event has ended; rejects with the error of that turn. */
  post(workflow: Id, event: RunEvent): Promise<void>;
  /** The same for an event of the run itself: nobody else has to know about a failure. */
  postOwn(workflow: Id, event: RunEvent): void;
  /** Whether a turn is in progress or about to begin. */
  isAtWork(workflow: Id): boolean;
  /** How many events wait for the next turn. */
  waiting(workflow: Id): number;
  /** Wakes a run at a time, in place of the time that was set before. Never if that is undefined. */
  wakeAt(workflow: Id, at: Micros | undefined): void;
  /** Wakes no more runs. Resolves when no turn is in progress. */
  stop(): Promise<void>;
}

interface MailboxDeps extends Pick<Engine, 'clock' | 'logger'> {
  /** A turn of a run. */
  takeTurn(workflow: Id, events: readonly RunEvent[]): Promise<void>;
  /** Called after a failed turn. */
  onFailed(workflow: Id): void;
  /** Called in place of another turn after too many failed ones. */
  giveUp(workflow: Id, reason: string): Promise<void>;
}

/** A failed turn is retried after this time. */
const AGAIN_MS = SECOND_MS;
/** After this many failures in a row, not counting those of the store, the run ends as failed. */
const MOST_FAILURES = 10;

interface QueuedEvent {
  event: RunEvent;
  processed: Deferred<void>;
}

export function createMailbox({ clock, logger, takeTurn, onFailed, giveUp }: MailboxDeps): Mailbox {
  const waiting = new Map<Id, QueuedEvent[]>();
  const working = new Map<Id, Promise<void>>();
  const failures = new FailedTurns();
  const postOwn = (workflow: Id, event: RunEvent): void => void post(workflow, event).catch(() => undefined);
  const alarms = new Alarms(clock, postOwn);

  function post(workflow: Id, event: RunEvent): Promise<void> {
    const processed = deferred();
    const queued = waiting.get(workflow);
    if (queued) queued.push({ event, processed });
    else waiting.set(workflow, [{ event, processed }]);
    const begun = working.get(workflow) ?? Promise.resolve().then(() => work(workflow));
    working.set(workflow, begun);
    return processed.promise;
  }

  async function work(workflow: Id): Promise<void> {
    for (let queued = waiting.get(workflow); queued; queued = waiting.get(workflow)) {
      waiting.delete(workflow);
      const events = queued.map(({ event }) => event);
      try {
        await takeTurn(workflow, events).catch((error: unknown) => retryLater(workflow, events, error));
        failures.forget(workflow);
        for (const { processed } of queued) processed.resolve();
      } catch (error) {
        for (const { processed } of queued) processed.reject(error);
      }
    }
    working.delete(workflow);
  }

  /** @throws the error of the turn */
  async function retryLater(workflow: Id, events: readonly RunEvent[], error: unknown): Promise<never> {
    onFailed(workflow);
    const isLost = error instanceof LostRun;
    if (!isLost) logger.warn('A step of a workflow failed; retrying.', { workflow, error: messageOf(error) });
    if (!isLost && failures.add(workflow, error) >= MOST_FAILURES) {
      failures.forget(workflow);
      await giveUp(workflow, messageOf(error));
    }
    // Messages are redelivered, but nothing else would submit commands that are journaled and not yet requested.
    else if (!isLost || events.some((event) => 'look' in event || 'more' in event))
      alarms.after(workflow, AGAIN_MS, { look: true });
    throw error;
  }

  return {
    post,
    postOwn,
    isAtWork: (workflow) => working.has(workflow),
    waiting: (workflow) => waiting.get(workflow)?.length ?? 0,
    wakeAt: (workflow, at) => alarms.at(workflow, at),
    async stop() {
      alarms.stop();
      while (working.size > 0) await Promise.all(working.values());
    },
  };
}

/** Counts the failed turns of each run since its last successful one. A failure of the store starts the count again. */
class FailedTurns {
  readonly #counts = new Map<Id, number>();

  /** @returns the count */
  add(workflow: Id, error: unknown): number {
    const count = isUnreachable(error) ? 0 : (this.#counts.get(workflow) ?? 0) + 1;
    this.#counts.set(workflow, count);
    return count;
  }

  forget(workflow: Id): void {
    this.#counts.delete(workflow);
  }
}

/** Wakes runs at a time: at most one alarm for each run. */
class Alarms {
  readonly #cancels = new Map<Id, () => void>();
  #stopped = false;

  constructor(
    private readonly clock: Pick<Engine['clock'], 'after' | 'nowMicros'>,
    private readonly ring: (workflow: Id, event: RunEvent) => void,
  ) {}

  /** @param at undefined: no alarm */
  at(workflow: Id, at: Micros | undefined): void {
    if (at === undefined) this.cancel(workflow);
    else this.after(workflow, Math.max(0, (at - this.clock.nowMicros()) / MS_MICROS), { alarm: true });
  }

  after(workflow: Id, delayMs: number, event: RunEvent): void {
    this.cancel(workflow);
    if (this.#stopped) return;
    const ring = () => {
      this.#cancels.delete(workflow);
      this.ring(workflow, event);
    };
    this.#cancels.set(workflow, this.clock.after(delayMs, ring));
  }

  cancel(workflow: Id): void {
    this.#cancels.get(workflow)?.();
    this.#cancels.delete(workflow);
  }

  stop(): void {
    this.#stopped = true;
    for (const workflow of [...this.#cancels.keys()]) this.cancel(workflow);
  }
}
