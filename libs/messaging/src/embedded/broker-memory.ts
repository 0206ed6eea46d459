import { topicMatcher } from './topic-pattern';

/** What the embedded broker has to remember beside what the library does: limits, counts and bindings. */
export class BrokerMemory {
  readonly #limits = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  readonly #matchers = new Map<string, Map<string, (routingKey: string) => boolean>>();

  limitDeliveries(queue: string, limit: unknown): void {
    if (typeof limit === 'number') this.#limits.set(queue, limit);
  }

  /** Counts one more return of a message. @returns the count, and whether the queue's limit is exceeded */
  countReturn(queue: string, messageId: string): { readonly count: number; readonly exceeded: boolean } {
    const limit = this.#limits.get(queue);
    if (limit === undefined) return { count: 0, exceeded: false };
    const count = (this.#counts.get(messageId) ?? 0) + 1;
    this.#counts.set(messageId, count);
    return { count, exceeded: count > limit };
  }

  forget(messageId: string): void {
    this.#counts.delete(messageId);
  }

  forgetQueue(queue: string): void {
    this.#limits.delete(queue);
    for (const binding of this.#matchers.keys()) if (binding.endsWith(`\0${queue}`)) this.#matchers.delete(binding);
  }

  /**
   * Adds a pattern to what a queue takes from an exchange.
   * @returns the test for all of its patterns together: a queue gets a message once, however many of them match
   */
  addPattern(exchange: string, queue: string, pattern: string): (routingKey: string) => boolean {
    const key = `${exchange}\0${queue}`;
    const matchers = this.#matchers.get(key) ?? new Map<string, (routingKey: string) => boolean>();
    this.#matchers.set(key, matchers.set(pattern, topicMatcher(pattern)));
    return (routingKey) => [...matchers.values()].some((matches) => matches(routingKey));
  }
}
