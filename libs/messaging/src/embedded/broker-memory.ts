/** State of the embedded broker that the library does not keep: delivery limits, delivery counts and bindings. */
export class BrokerMemory {
  readonly #limits = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  /** By exchange, queue and pattern. */
  readonly #bindings = new Map<string, Map<string, Map<string, (routingKey: string) => boolean>>>();

  limitDeliveries(queue: string, limit: unknown): void {
    if (typeof limit === 'number') this.#limits.set(queue, limit);
  }

  /** Counts a return of a message. @returns the count, and whether it exceeds the limit of the queue */
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
    for (const queues of this.#bindings.values()) queues.delete(queue);
  }

  /**
   * Adds a pattern to the binding of a queue to an exchange.
   * @returns a test for all patterns of the binding, because a queue gets a message once, however many patterns match
   */
  addPattern(exchange: string, queue: string, pattern: string): (routingKey: string) => boolean {
    const queues = this.#bindings.get(exchange) ?? new Map<string, Map<string, (routingKey: string) => boolean>>();
    const matchers = queues.get(queue) ?? new Map<string, (routingKey: string) => boolean>();
    this.#bindings.set(exchange, queues.set(queue, matchers.set(pattern, topicMatcher(pattern))));
    return (routingKey) => anyMatches(matchers, routingKey);
  }

  /** Whether any queue receives a message of an exchange. */
  isTaken(exchange: string, routingKey: string): boolean {
    for (const matchers of this.#bindings.get(exchange)?.values() ?? [])
      if (anyMatches(matchers, routingKey)) return true;
    return false;
  }
}

function anyMatches(matchers: ReadonlyMap<string, (routingKey: string) => boolean>, routingKey: string): boolean {
  for (const matches of matchers.values()) if (matches(routingKey)) return true;
  return false;
}

/**
 * Whether a routing key matches an AMQP topic pattern: `*` matches exactly one word, `#` any number of words.
 */
function topicMatcher(pattern: string): (routingKey: string) => boolean {
  if (pattern === '#') return () => true;
  if (!/[*#]/.test(pattern)) return (routingKey) => routingKey === pattern;
  const words = pattern.split('.');
  return (routingKey) => matches(words, routingKey === '' ? [] : routingKey.split('.'));
}

function matches(pattern: readonly string[], words: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return words.length === 0;
  if (first === '#') return matches(rest, words) || (words.length > 0 && matches(pattern, words.slice(1)));
  return words.length > 0 && (first === '*' || first === words[0]) && matches(rest, words.slice(1));
}
