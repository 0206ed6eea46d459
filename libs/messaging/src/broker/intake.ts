import { backoffMs, messageOf, type Backoff } from '@switchyard/base';
import type { ConsumeMessage } from 'amqplib';
import type { MessageHandler } from '../bus';
import type { MessagingLogger } from '../logger';
import { decode, type MessageBody } from '../messages';
import type { ExchangeName } from '../topology';
import { HeldDelivery, LONGEST_HOLD_MS } from './held-delivery';
import type { Subscription } from './subscription';

export interface IntakeOptions {
  readonly queue: string;
  readonly exchange: ExchangeName;
  /** Work queues have a delivery limit and a dead-letter queue; a watch queue has neither. */
  readonly kind: 'work' | 'watch';
  readonly backoff: Backoff;
  readonly logger: MessagingLogger;
  readonly handler: MessageHandler<MessageBody>;
}

/** Decides what becomes of each delivery: decodes it, runs the handler, settles it by how that ended. */
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
        logger.warn('A message needs another version of this program.', { queue, reason: decoded.reason });
        return holdForOthers(options, delivery);
      case 'malformed':
        logger.error('A malformed message is set aside.', { queue, reason: decoded.reason });
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
    logger.error('A message could not be handled.', {
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

/** During a rolling upgrade another process may understand it. A watch queue has no other reader. */
function holdForOthers({ kind, backoff }: IntakeOptions, delivery: HeldDelivery): void {
  if (kind === 'watch') delivery.ack();
  else delivery.handBack(Math.min(backoff.maxMs, LONGEST_HOLD_MS));
}
