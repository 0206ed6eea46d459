import { fault, type Backoff } from '@switchyard/base';
import type { Bus, ConsumeOptions, MessageHandler, MessagingLogger } from '../bus';
import type { MessageBody } from '../messages';
import { exchangeOf, queueDeclaration, type WatchQueue } from '../queues';
import type { QueueName } from '../topology';
import { ConfirmingPublisher, type OnPublished } from './confirming-publisher';
import type { Link } from './link';
import { createIntake, QueueConsumer } from './queue-consumer';

export interface CreateBusOptions {
  readonly link: Link;
  readonly prefix: string;
  readonly logger: MessagingLogger;
  readonly publishTimeoutMs: number;
  /** Pause between the failure of a handler and the next delivery of its message. */
  readonly redelivery: Backoff;
  /** Pause between the loss of a channel and the next attempt to consume. */
  readonly resubscription: Backoff;
  readonly onPublished?: OnPublished | undefined;
}

/** Creates a bus on a link. RabbitMQ and the embedded broker share this code. */
export function createBus(options: CreateBusOptions): Bus {
  const { link, prefix } = options;
  const publisher = new ConfirmingPublisher(link, prefix, options.publishTimeoutMs, options.onPublished);
  const consumers = new Set<QueueConsumer>();
  return {
    publisher: () => publisher,
    consume: async (queue, consumeOptions, handler) => {
      if (link.ending.aborted) throw fault('messaging.closed');
      const consumer = consumerOf(options, queue, consumeOptions, handler as MessageHandler<MessageBody>);
      consumers.add(consumer);
      await begin(consumer, consumeOptions.signal);
      const stop = (): Promise<void> => consumer.stop().finally(() => consumers.delete(consumer));
      return { pause: () => consumer.pause(), resume: () => consumer.resume(), stop };
    },
    onReconnect: (listener) => link.onReconnect(listener),
    ready: () => link.current !== undefined && [...consumers].every(({ ready }) => ready),
    ping: () => link.ping(),
    abandon: () => link.abandon(),
    close: async () => {
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      await publisher.close();
      await link.close();
    },
  };
}

/** Starts to consume, or stops if the signal is aborted before the broker is available. */
async function begin(consumer: QueueConsumer, signal: AbortSignal | undefined): Promise<void> {
  const giveUp = () => void consumer.stop();
  if (signal?.aborted) giveUp();
  signal?.addEventListener('abort', giveUp);
  try {
    await consumer.resume();
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

function consumerOf(
  { link, prefix, logger, redelivery, resubscription }: CreateBusOptions,
  queue: QueueName | WatchQueue,
  { prefetch, name }: ConsumeOptions,
  handler: MessageHandler<MessageBody>,
): QueueConsumer {
  const declaration = queueDeclaration(prefix, queue);
  const kind = typeof queue === 'string' ? 'work' : 'watch';
  const intake = createIntake({
    queue: declaration.queue,
    exchange: exchangeOf(queue),
    kind,
    backoff: redelivery,
    logger,
    handler,
  });
  return new QueueConsumer({ link, declaration, prefetch, name, logger, backoff: resubscription, intake });
}
