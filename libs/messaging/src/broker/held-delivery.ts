import type { ConsumeMessage } from 'amqplib';
import type { Delivery } from '../bus';
import type { Subscription } from './subscription';

/** The longest time that a delivery is held before it goes back. */
export const LONGEST_HOLD_MS = 5000;

/** A delivery in the hands of a handler. Settled once: acknowledged, handed back, or rejected. */
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

  /** How often it has been delivered before, as far as the broker tells. */
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
