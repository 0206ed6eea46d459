import type { Message, MessageBody } from './messages';
import type { WatchQueue } from './queues';
import type { QueueName } from './topology';

/** The message broker as the services see it: one a process. */
export interface Bus {
  publisher(): Publisher;
  /**
   * Takes messages off a queue. The queue is declared when it is missing, and taking goes on by itself after any loss
   * of the connection. Resolves once the broker has accepted the consumer.
   */
  consume<M extends MessageBody = MessageBody>(
    queue: QueueName | WatchQueue,
    options: ConsumeOptions,
    handler: MessageHandler<M>,
  ): Promise<Consumer>;
  /** True while the broker is reachable and every consumer that should take messages does. */
  ready(): boolean;
  /** Stops every consumer (as `Consumer.stop`), waits for publishes under way, disconnects. */
  close(): Promise<void>;
}

export interface ConsumeOptions {
  /** The most deliveries that are unacknowledged at a time, those handed back with a delay included. */
  readonly prefetch: number;
  /** Shown to operators as the consumer tag, and in log lines. */
  readonly name: string;
  /** Raised while the broker is away: the consumer is stopped instead of waiting for it. Later, it has no effect. */
  readonly signal?: AbortSignal;
}

/**
 * Resolves: the delivery is acknowledged if it has not been settled yet. Throws: a delivery that is not settled is
 * handed back with a growing delay. On a work queue the delivery limit ends that in the dead-letter queue; a watch
 * queue drops the message after the second failure.
 */
export type MessageHandler<M extends MessageBody> = (message: M, delivery: Delivery) => Promise<void>;

export interface Publisher {
  /**
   * Resolves when the broker has confirmed the message, whether or not a queue takes it. Over a loss of the connection
   * it tries again, so a message may arrive twice.
   * @throws Fault messaging.invalid-message, messaging.too-large, messaging.unavailable, messaging.closed
   */
  publish(message: Message): Promise<void>;
  /** Publishes in order, with one wait for all confirms. On a failure some of the messages may have been sent. */
  publishAll(messages: readonly Message[]): Promise<void>;
}

/** One message in the hands of one handler. The first of ack and handBack counts; the rest have no effect. */
export interface Delivery {
  ack(): void;
  /**
   * Requeues the message, after holding it for a delay (0 to 5 s, longer ones are cut) that occupies one place of the
   * prefetch. Each hand-back counts towards the delivery limit of a work queue.
   */
  handBack(delayMs?: number): void;
  /** The broker has delivered this message before, to whomever. */
  readonly redelivered: boolean;
  readonly acked: boolean;
}

export interface Consumer {
  /** Takes no more messages; running handlers go on. */
  pause(): Promise<void>;
  /** Takes messages again after `pause`. */
  resume(): Promise<void>;
  /** Takes no more messages, hands back the held ones, and resolves when the running handlers have ended. */
  stop(): Promise<void>;
}
