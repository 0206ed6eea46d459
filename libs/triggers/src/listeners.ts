import { messageOf, SECOND_MS, type Clock } from '@switchyard/base';
import { watchQueue, type Bus } from '@switchyard/messaging';
import type { Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';

export interface ListenersDependencies {
  readonly rules: Pick<Store['rules'], 'list'>;
  readonly bus: Pick<Bus, 'consume'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Whether enabled rules listen to a trigger, for those who would dispatch it so often that it is worth knowing.
 *
 * 1. The answer is kept. A message about any rule, or a rule that this process writes, makes it unknown at once.
 * 2. What is not known counts as yes: whoever acts on that asks the store later, with time (`are`).
 * 3. A lost message is made up for: an answer is renewed after a second in which somebody has asked, and is not believed
 *    when it is older than ten.
 * 4. Nothing happens before somebody asks, and nothing has to be stopped: the watching ends with the bus.
 */
export interface Listeners {
  /** False only when it is known that nobody listens. Asks nobody. */
  mayBe(): boolean;
  /** Asks the store. */
  are(): Promise<boolean>;
  /** Begins to watch before somebody asks, so that the first answer is not taken for granted. Never rejects. */
  prepare(): Promise<void>;
  /** A rule was written or removed. */
  changed(): void;
}

const FRESH_MS = SECOND_MS;
const BELIEVED_MS = 10 * SECOND_MS;
const PREFETCH = 50;

/** @param trigger its reference */
export function createListeners({ rules, bus, clock, logger }: ListenersDependencies, trigger: string): Listeners {
  let known: { readonly answer: boolean; readonly atMs: number } | undefined;
  let edition = 0;
  let reading = false;
  let watching: 'no' | 'soon' | 'yes' = 'no';

  const are = async () => {
    const [rule] = await rules.list({ filter: { trigger, enabled: true }, limit: 1, fields: ['ref'] });
    return rule !== undefined;
  };
  const changed = () => {
    edition++;
    known = undefined;
  };
  const failed = (error: unknown) =>
    logger.warn('It is not known whether a rule listens; it is taken for granted.', {
      trigger,
      error: messageOf(error),
    });

  async function read(): Promise<void> {
    reading = true;
    const before = edition;
    const atMs = clock.monotonicMs();
    try {
      const answer = await are();
      if (before === edition) known = { answer, atMs };
    } catch (error) {
      failed(error);
    } finally {
      reading = false;
    }
  }

  async function watch(): Promise<void> {
    watching = 'soon';
    try {
      const options = { prefetch: PREFETCH, name: 'rule-listeners' };
      await bus.consume(watchQueue('rule', 'listeners'), options, async () => changed());
      // What has changed before was not heard of.
      changed();
      watching = 'yes';
    } catch (error) {
      watching = 'no';
      failed(error);
    }
  }

  return {
    are,
    changed,
    async prepare() {
      if (watching === 'no') await watch();
      await read();
    },
    mayBe() {
      if (watching === 'no') void watch();
      const ageMs = known ? clock.monotonicMs() - known.atMs : Infinity;
      if (ageMs > FRESH_MS && !reading) void read();
      return known === undefined || watching !== 'yes' || ageMs > BELIEVED_MS || known.answer;
    },
  };
}
