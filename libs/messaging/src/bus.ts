import type { Message, MessageBody } from './messages';
import type { MessageFrom, WatchQueue } from './queues';
import type { QueueName } from './topology';

/** The message broker, as services use it. A process has one. */
export interface Bus {
  publisher(): Publisher;
  /**
   * Consumes a queue, which is declared if it does not exist. Consuming continues after a lost connection. Resolves when the broker
   * has accepted the consumer.
   */
  consume<Q extends QueueName | WatchQueue>(
    queue: Q,
    options: ConsumeOptions,
    handler: MessageHandler<MessageFrom<Q>>,
  ): Promise<Consumer>;
  /**
   * Calls the listener each time a lost connection is replaced. Messages may have been lost: those of a broker that
   * died and those that were not sent in time. A listener stays for as long as the bus.
   */
  onReconnect(listener: () => void): void;
  /** Whether the broker is reachable and all consumers that should receive messages are receiving them. */
  ready(): boolean;
  /** Resolves when the broker responds, which may be never. @throws Fault messaging.unavailable if there is no connection */
  ping(): Promise<void>;
  /** Disconnects without waiting for the broker. Everything that waits for it fails, and consumers end. */
  abandon(): void;
  /** Stops all consumers (like `Consumer.stop`), waits for publishes in progress, and disconnects. */
  close(): Promise<void>;
}

export interface ConsumeOptions {
  /** Maximum number of unacknowledged deliveries, including those handed back with a delay. */
  readonly prefetch: number;
  /** Part of the consumer tag, and of log lines. */
  readonly name: string;
  /** If aborted before the broker accepts the consumer, the consumer stops instead of waiting. Later, it has no effect. */
  readonly signal?: AbortSignal;
}

/**
 * When a handler resolves, its delivery is acknowledged unless it is already settled. When it throws, an unsettled delivery is handed
 * back with a growing delay. A work queue moves the message to the dead-letter queue at the delivery limit; a watch queue drops it
 * after the second failure.
 */
export type MessageHandler<M extends MessageBody> = (message: M, delivery: Delivery) => Promise<void>;

export interface Publisher {
  /**
   * Resolves when the broker has confirmed the message, even if no queue receives it. After a lost connection it tries again, so a
   * message may arrive twice.
   * @throws Fault messaging.invalid-message, messaging.too-large, messaging.unavailable, messaging.closed
   */
  publish(message: Message): Promise<void>;
  /** Publishes in order, and waits for all confirms together. If it fails, some messages may have been sent. */
  publishAll(messages: readonly Message[]): Promise<void>;
}

/** One message, delivered to one handler. Only the first call of `ack` or `handBack` has an effect. */
export interface Delivery {
  ack(): void;
  /**
   * Requeues the message after a delay of up to 5 s, during which it counts towards the prefetch. Each time counts towards the
   * delivery limit of a work queue.
   */
  handBack(delayMs?: number): void;
  /** Whether the broker delivered this message before, to any consumer. */
  readonly redelivered: boolean;
  readonly acked: boolean;
}

export interface Consumer {
  /** Stops receiving messages. Running handlers continue. */
  pause(): Promise<void>;
  /** Receives messages again after `pause`. */
  resume(): Promise<void>;
  /** Stops receiving messages, hands back delayed ones, and resolves when all handlers have finished. */
  stop(): Promise<void>;
}

/** The part of a logger that messaging uses. */
export interface MessagingLogger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}
