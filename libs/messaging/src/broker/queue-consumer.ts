import { backoffMs, deferred, messageOf, type Backoff, type Deferred } from '@switchyard/base';
import type { ConsumeMessage } from 'amqplib';
import type { Consumer } from '../bus';
import type { MessagingLogger } from '../logger';
import type { QueueDeclaration } from '../topology';
import type { Link, Live } from './link';
import { pauseFor } from './pause-for';
import { Subscription } from './subscription';

export interface QueueConsumerOptions {
  readonly link: Link;
  readonly declaration: QueueDeclaration;
  readonly prefetch: number;
  readonly name: string;
  readonly logger: MessagingLogger;
  readonly backoff: Backoff;
  readonly intake: (raw: ConsumeMessage, subscription: Subscription) => Promise<void>;
}

/** Keeps a subscription to one queue over losses of the channel and of the connection, while taking is wanted. */
export class QueueConsumer implements Consumer {
  readonly #options: QueueConsumerOptions;
  /** The taking one, and paused ones whose deliveries are still in hand. */
  readonly #subscriptions = new Set<Subscription>();
  #taking: Subscription | undefined;
  /** Raised to end the present stretch of taking. */
  #stretch: AbortController | undefined;
  #finished: Promise<void> = Promise.resolve();
  #running = 0;
  #idle: Deferred<void> | undefined;
  #stopped = false;

  constructor(options: QueueConsumerOptions) {
    this.#options = options;
  }

  /** Paused counts as ready: it does what it should. */
  get ready(): boolean {
    return this.#stretch === undefined || this.#taking !== undefined;
  }

  /** Resolves when the broker has accepted the consumer. @throws Fault when the link has ended */
  async resume(): Promise<void> {
    if (this.#stretch || this.#stopped) return;
    const stretch = (this.#stretch = new AbortController());
    const started = deferred();
    this.#finished = this.#finished.then(() => this.#keep(stretch.signal, started));
    await started.promise;
  }

  async pause(): Promise<void> {
    this.#stretch?.abort();
    this.#stretch = undefined;
    await this.#finished;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.pause();
    if (this.#running > 0) await (this.#idle ??= deferred()).promise;
    await Promise.all([...this.#subscriptions].map(({ ended }) => ended));
  }

  async #keep(signal: AbortSignal, started: Deferred<void>): Promise<void> {
    const { ending } = this.#options.link;
    const halted = raised(signal);
    for (let failures = 0; !signal.aborted && !ending.aborted;) {
      try {
        const live = await Promise.race([this.#options.link.live(), halted]);
        if (!live) break;
        const subscription = await this.#subscribe(live);
        failures = 0;
        started.resolve();
        await Promise.race([subscription.ended, halted]);
        this.#taking = undefined;
        await subscription.cancel();
      } catch (error) {
        failures += 1;
        await this.#recover(error, failures, signal);
      }
    }
    if (ending.aborted) started.reject(ending.reason);
    else started.resolve();
  }

  async #subscribe({ connection }: Live): Promise<Subscription> {
    const { declaration, prefetch, name, logger } = this.#options;
    const take = (raw: ConsumeMessage, subscription: Subscription): void => void this.#take(raw, subscription);
    const subscription = await Subscription.open(connection, { declaration, prefetch, name, logger, take });
    this.#taking = subscription;
    this.#subscriptions.add(subscription);
    void subscription.ended.then(() => this.#subscriptions.delete(subscription));
    return subscription;
  }

  async #recover(error: unknown, failures: number, signal: AbortSignal): Promise<void> {
    const { link, name, logger, backoff } = this.#options;
    if (signal.aborted || link.ending.aborted) return;
    logger.warn(`${name} cannot take messages; trying again.`, { error: messageOf(error), failures });
    await pauseFor(backoffMs(backoff, failures), signal);
  }

  async #take(raw: ConsumeMessage, subscription: Subscription): Promise<void> {
    this.#running += 1;
    try {
      await this.#options.intake(raw, subscription);
    } catch (error) {
      // It was not settled, so the broker sends it again once this channel has gone.
      this.#options.logger.error('A message could not be settled.', { error: messageOf(error) });
    } finally {
      this.#running -= 1;
      if (this.#running === 0) {
        this.#idle?.resolve();
        this.#idle = undefined;
      }
    }
  }
}

const raised = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
