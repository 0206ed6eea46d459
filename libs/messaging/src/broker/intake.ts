import { backoffMs, messageOf, type Backoff } from '@switchyard/base';
import type { ConsumeMessage } from 'amqplib';
import type { Delivery, MessageHandler, MessagingLogger } from '../bus';
import { decode, type MessageBody } from '../messages';
import type { ExchangeName } from '../topology';
import type { Subscription } from './subscription';

/** Longest delay before a delivery is handed back. */
const LONGEST_HOLD_MS = 5000;

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

/** A delivery to a handler. It is settled once: acknowledged, handed back or rejected. */
class HeldDelivery implements Delivery {
  readonly #raw: ConsumeMessage;
  readonly #subscription: Subscription;
  #settled: 'acked' | 'back' | 'rejected' | undefined;

  constructor(raw: ConsumeMessage, subscription: Subscription) {
    this.#raw = raw;
    this.#subscription = subscription;
  }

  get redelivered(): boolean {
    return this.#raw.fields.redelivered;
  }

  /** How often it was delivered before, as far as the broker reports it. */
  get returns(): number {
    const count: unknown = this.#raw.properties.headers?.['x-delivery-count'];
    return typeof count === 'number' ? count : Number(this.redelivered);
  }

  get acked(): boolean {
    return this.#settled === 'acked';
  }

  get settled(): boolean {
    return this.#settled !== undefined;
  }

  ack(): void {
    if (this.settled) return;
    this.#settled = 'acked';
    this.#subscription.ack(this.#raw);
  }

  handBack(delayMs = 0): void {
    if (this.settled) return;
    this.#settled = 'back';
    this.#subscription.handBack(this.#raw, Math.min(delayMs, LONGEST_HOLD_MS));
  }

  reject(): void {
    if (this.settled) return;
    this.#settled = 'rejected';
    this.#subscription.reject(this.#raw);
  }
}
