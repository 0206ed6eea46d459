import { deferred, messageOf, randomHex } from '@switchyard/base';
import type { ConsumeMessage } from 'amqplib';
import type { Delivery, MessagingLogger } from '../bus';
import type { QueueDeclaration } from '../topology';
import type { BrokerChannel, BrokerConnection } from './broker-port';
import { declareQueue } from './declare';

export interface SubscriptionOptions {
  readonly declaration: QueueDeclaration;
  readonly prefetch: number;
  readonly name: string;
  readonly logger: MessagingLogger;
  readonly take: (delivery: ConsumeMessage, subscription: Subscription) => void;
}

/**
 * One consumer with its own channel.
 *
 * taking: after `open`.
 * canceled: it receives nothing new, but deliveries can still be settled. The channel closes after the last one.
 * ended: the channel is gone. The broker requeues unsettled deliveries, and settling them has no effect.
 */
export class Subscription {
  readonly #channel: BrokerChannel;
  readonly #tag: string;
  readonly #held = new Map<ConsumeMessage, NodeJS.Timeout>();
  readonly #ended = deferred();
  #unsettled = 0;
  #taking = true;
  #open = true;

  /** Declares the queue and starts to consume. @throws the error of the broker */
  static async open(connection: BrokerConnection, options: SubscriptionOptions): Promise<Subscription> {
    const { declaration, prefetch, name, logger, take } = options;
    const channel = await connection.createChannel();
    const subscription = new Subscription(channel, `${name}-${randomHex(10)}`);
    channel.on('error', (error) => logger.warn(`The channel of ${name} failed.`, { error: messageOf(error) }));
    channel.on('close', () => subscription.#end());
    try {
      await declareQueue(channel, declaration);
      await channel.prefetch(prefetch);
      const onMessage = (raw: ConsumeMessage | null): void => subscription.#arrived(raw, take);
      await channel.consume(declaration.queue, onMessage, { consumerTag: subscription.#tag });
      return subscription;
    } catch (error) {
      await subscription.close();
      throw error;
    }
  }

  private constructor(channel: BrokerChannel, tag: string) {
    this.#channel = channel;
    this.#tag = tag;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  ack(raw: ConsumeMessage): void {
    this.#settle(() => this.#channel.ack(raw));
  }

  /** Moves the message to the dead-letter queue, if its queue has one. */
  reject(raw: ConsumeMessage): void {
    this.#settle(() => this.#channel.nack(raw, false, false));
  }

  handBack(raw: ConsumeMessage, delayMs: number): void {
    if (delayMs <= 0 || !this.#taking) return this.#requeue(raw);
    const timer = setTimeout(() => this.#requeue(raw), delayMs);
    timer.unref();
    this.#held.set(raw, timer);
  }

  /** Stops receiving, and immediately hands back delayed deliveries. */
  async cancel(): Promise<void> {
    if (!this.#taking) return;
    this.#taking = false;
    for (const raw of [...this.#held.keys()]) this.#requeue(raw);
    if (this.#open) await this.#channel.cancel(this.#tag).catch(() => undefined);
    if (this.#unsettled === 0) await this.close();
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    // amqplib never settles `close` if the connection is lost while it waits for the answer.
    await Promise.race([this.#channel.close().catch(() => undefined), this.ended]);
    this.#end();
  }

  #arrived(raw: ConsumeMessage | null, take: SubscriptionOptions['take']): void {
    // The broker canceled the consumer, because its queue was deleted or moved.
    if (raw === null) return void this.close();
    this.#unsettled += 1;
    if (this.#taking) take(raw, this);
    else this.#requeue(raw);
  }

  #requeue(raw: ConsumeMessage): void {
    clearTimeout(this.#held.get(raw));
    this.#held.delete(raw);
    this.#settle(() => this.#channel.nack(raw, false, true));
  }

  #settle(tellBroker: () => void): void {
    if (!this.#open) return;
    tellBroker();
    this.#unsettled -= 1;
    if (this.#unsettled === 0 && !this.#taking) void this.close();
  }

  #end(): void {
    this.#open = false;
    this.#taking = false;
    for (const timer of this.#held.values()) clearTimeout(timer);
    this.#held.clear();
    this.#ended.resolve();
  }
}

/** Longest delay before a delivery is handed back. */
export const LONGEST_HOLD_MS = 5000;

/** A delivery to a handler. It is settled once: acknowledged, handed back or rejected. */
export class HeldDelivery implements Delivery {
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
