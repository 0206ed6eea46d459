import { backoffMs, deferred, messageOf, type Backoff, type Deferred } from '@switchyard/base';
import type { ConsumeMessage } from 'amqplib';
import type { Consumer, MessageHandler, MessagingLogger } from '../bus';
import { decode, type MessageBody } from '../messages';
import type { ExchangeName, QueueDeclaration } from '../topology';
import { pauseFor, type Link, type Live } from './link';
import { HeldDelivery, LONGEST_HOLD_MS, Subscription } from './subscription';

export interface QueueConsumerOptions {
  readonly link: Link;
  readonly declaration: QueueDeclaration;
  readonly prefetch: number;
  readonly name: string;
  readonly logger: MessagingLogger;
  readonly backoff: Backoff;
  readonly intake: (raw: ConsumeMessage, subscription: Subscription) => Promise<void>;
}

/** Keeps a subscription to one queue until it is paused or stopped, even if the channel or the connection is lost. */
export class QueueConsumer implements Consumer {
  readonly #options: QueueConsumerOptions;
  /** The current one, and paused ones with unsettled deliveries. */
  readonly #subscriptions = new Set<Subscription>();
  #taking: Subscription | undefined;
  /** Aborted to end the current period of consuming. */
  #stretch: AbortController | undefined;
  #finished: Promise<void> = Promise.resolve();
  #running = 0;
  #idle: Deferred<void> | undefined;
  #stopped = false;

  constructor(options: QueueConsumerOptions) {
    this.#options = options;
  }

  /** A paused consumer counts as ready. */
  get ready(): boolean {
    return this.#stretch === undefined || this.#taking !== undefined;
  }

  /** Resolves when the broker has accepted the consumer. @throws Fault if the link has ended */
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
    const halted = aborted(signal);
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
    logger.warn(`${name} cannot receive messages; retrying.`, { error: messageOf(error), failures });
    await pauseFor(backoffMs(backoff, failures), signal);
  }

  async #take(raw: ConsumeMessage, subscription: Subscription): Promise<void> {
    this.#running += 1;
    try {
      await this.#options.intake(raw, subscription);
    } catch (error) {
      // The delivery is not settled, so the broker sends it again when this channel is gone.
      this.#options.logger.error('Failed to acknowledge a message.', { error: messageOf(error) });
    } finally {
      this.#running -= 1;
      if (this.#running === 0) {
        this.#idle?.resolve();
        this.#idle = undefined;
      }
    }
  }
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });

export interface IntakeOptions {
  readonly queue: string;
  readonly exchange: ExchangeName;
  /** Work queues have a delivery limit and a dead-letter queue; a watch queue has neither. */
  readonly kind: 'work' | 'watch';
  readonly backoff: Backoff;
  readonly logger: MessagingLogger;
  readonly handler: MessageHandler<MessageBody>;
}

/** Handles deliveries: decodes each one, runs the handler, and settles the delivery by the outcome. */
export function createIntake(
  options: IntakeOptions,
): (raw: ConsumeMessage, subscription: Subscription) => Promise<void> {
  const { queue, logger } = options;
  return async (raw, subscription) => {
    const delivery = new HeldDelivery(raw, subscription);
    const decoded = decode(raw.content, options.exchange);
    switch (decoded.outcome) {
      case 'message':
        return handle(options, decoded.message, delivery);
      case 'unknown':
        logger.warn('Received a message of an unsupported version.', { queue, reason: decoded.reason });
        return holdForOthers(options, delivery);
      case 'malformed':
        logger.error('Rejected a malformed message.', { queue, reason: decoded.reason });
        return delivery.reject();
    }
  };
}

async function handle(options: IntakeOptions, message: MessageBody, delivery: HeldDelivery): Promise<void> {
  try {
    await options.handler(message, delivery);
    delivery.ack();
  } catch (error) {
    const { queue, logger } = options;
    logger.error('Failed to handle a message.', {
      queue,
      message,
      returns: delivery.returns,
      error: messageOf(error),
    });
    if (!delivery.settled) retryLater(options, delivery);
  }
}

function retryLater({ kind, backoff }: IntakeOptions, delivery: HeldDelivery): void {
  if (kind === 'watch' && delivery.redelivered) delivery.ack();
  else delivery.handBack(backoffMs(backoff, delivery.returns + 1));
}

/** During a rolling upgrade, another process may be able to read the message. A watch queue has no other reader. */
function holdForOthers({ kind, backoff }: IntakeOptions, delivery: HeldDelivery): void {
  if (kind === 'watch') delivery.ack();
  else delivery.handBack(Math.min(backoff.maxMs, LONGEST_HOLD_MS));
}
