import { messageOf, SECOND_MS, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { watchQueue, type Bus } from '@switchyard/messaging';
import { isTerminal, type Status } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';

export interface ListenersDependencies {
  readonly rules: Pick<Store['rules'], 'list'>;
  readonly bus: Pick<Bus, 'consume'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Tracks whether enabled rules listen to a trigger, so that a frequent event can be skipped if no rule listens.
 *
 * 1. The answer is cached. A message about any rule, or a rule written by this process, invalidates it at once.
 * 2. An unknown answer counts as yes. Callers that need certainty query the store (`are`).
 * 3. To survive lost messages, an answer older than one second is refreshed on use, and one older than ten is ignored.
 * 4. Watching starts with the first question and ends with the bus; there is nothing to stop.
 */
export interface Listeners {
  /** False only if certainly no rule listens. Uses the cache. */
  mayBe(): boolean;
  /** Queries the store. */
  are(): Promise<boolean>;
  /** Starts watching and loads the answer, so that the first `mayBe` is accurate. Never rejects. */
  prepare(): Promise<void>;
  /** Call when this process wrote or removed a rule. */
  changed(): void;
}

const FRESH_MS = SECOND_MS;
const BELIEVED_MS = 10 * SECOND_MS;
const PREFETCH = 50;

/** @param trigger reference of the trigger */
export function createListeners(deps: ListenersDependencies, trigger: string): Listeners {
  const { rules, bus, clock, logger } = deps;
  const failed = (error: unknown) =>
    logger.warn('Could not check whether a rule listens to the trigger; assuming that one does.', {
      trigger,
      error: messageOf(error),
    });
  const are = async () => {
    const [rule] = await rules.list({ filter: { trigger, enabled: true }, limit: 1, fields: ['ref'] });
    return rule !== undefined;
  };
  const cached = new CachedAnswer(are, clock, failed);
  let watching: 'no' | 'soon' | 'yes' = 'no';

  async function watch(): Promise<void> {
    watching = 'soon';
    try {
      const options = { prefetch: PREFETCH, name: 'rule-listeners' };
      await bus.consume(watchQueue('rule', 'listeners'), options, async () => cached.invalidate());
      // Changes before the subscription were missed.
      cached.invalidate();
      watching = 'yes';
    } catch (error) {
      watching = 'no';
      failed(error);
    }
  }

  return {
    are,
    changed: () => cached.invalidate(),
    async prepare() {
      if (watching === 'no') await watch();
      await cached.read();
    },
    mayBe() {
      if (watching === 'no') void watch();
      const answer = cached.answer();
      return watching !== 'yes' || answer !== false;
    },
  };
}

class CachedAnswer {
  #known: { readonly answer: boolean; readonly atMs: number } | undefined;
  #edition = 0;
  #reading = false;

  /** @param ask reads the answer @param failed called with its errors */
  constructor(
    private readonly ask: () => Promise<boolean>,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly failed: (error: unknown) => void,
  ) {}

  invalidate(): void {
    this.#edition++;
    this.#known = undefined;
  }

  /** Reads the answer. An answer that was invalidated meanwhile is dropped. */
  async read(): Promise<void> {
    this.#reading = true;
    const before = this.#edition;
    const atMs = this.clock.monotonicMs();
    try {
      const answer = await this.ask();
      if (before === this.#edition) this.#known = { answer, atMs };
    } catch (error) {
      this.failed(error);
    } finally {
      this.#reading = false;
    }
  }

  /** The answer, unless it is unknown or too old. Refreshes it when it is no longer fresh. */
  answer(): boolean | undefined {
    const known = this.#known;
    const ageMs = known ? this.clock.monotonicMs() - known.atMs : Infinity;
    if (ageMs > FRESH_MS && !this.#reading) void this.read();
    return ageMs > BELIEVED_MS ? undefined : known?.answer;
  }
}

/**
 * Decides whether a status change of an execution is dispatched to rules, from the options and whether any rule listens.
 * Intermediate statuses may be skipped, so when one is configured, every final status is dispatched as well.
 */
export function toldStatuses(
  { enable, emit_when: emitWhen }: Config['action_sensor'],
  listeners: Pick<Listeners, 'mayBe'>,
): (status: Status) => boolean {
  const beforeTheEnd = emitWhen.some((status) => !isTerminal(status as Status));
  const isMeant = (status: Status) => emitWhen.includes(status) || (beforeTheEnd && isTerminal(status));
  return (status) => enable && isMeant(status) && listeners.mayBe();
}
