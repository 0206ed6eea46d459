import type { FakeAmqplibChannel } from '@onify/fake-amqplib';
import type { ConsumeMessage, GetMessage, Message, Options, Replies } from 'amqplib';
import type { BrokerChannel } from '../broker/broker-port';

type Broker = FakeAmqplibChannel['_broker'];
type Confirm = (error: unknown, ok: Replies.Empty) => void;

/** Deliveries of a channel in one turn of the event loop. Hundreds of deliveries at once would make a turn too long. */
const DELIVERED_AT_ONCE = 25;

/** An in-process implementation of amqplib's channel. It adds features of RabbitMQ that the library lacks. */
export class EmbeddedChannel implements BrokerChannel {
  readonly #fake: FakeAmqplibChannel;
  readonly #broker: Broker;
  readonly #memory: BrokerMemory;
  readonly #unconfirmed = new Set<Confirm>();
  readonly #inbox: (() => void)[] = [];
  #isDelivering = false;
  #open = true;

  constructor(fake: FakeAmqplibChannel, broker: Broker, memory: BrokerMemory) {
    this.#fake = fake;
    this.#broker = broker;
    this.#memory = memory;
    fake.on('close', () => this.#closed());
  }

  on(event: 'error' | 'close', listener: (error?: Error) => void): unknown {
    return this.#fake.on(event, listener);
  }

  /** The library delivers a message of a direct exchange to only one of the queues with its key. The keys used here
   * have no wildcards. */
  assertExchange(exchange: string, type: string, options?: Options.AssertExchange): Promise<Replies.AssertExchange> {
    return this.#fake.assertExchange(exchange, type === 'direct' ? 'topic' : type, options);
  }

  async assertQueue(queue: string, options: Options.AssertQueue = {}): Promise<Replies.AssertQueue> {
    const limits = options.arguments as Record<string, unknown> | undefined;
    this.#memory.limitDeliveries(queue, limits?.['x-delivery-limit']);
    const known = this.#broker.getQueue(queue);
    const reply = await this.#fake.assertQueue(queue, options);
    if (!known) this.#broker.getQueue(queue)?.on('delete', () => this.#memory.forgetQueue(queue));
    return reply;
  }

  checkQueue(queue: string): Promise<Replies.AssertQueue> {
    return this.#fake.checkQueue(queue);
  }

  /** All patterns of a queue share one binding of the library, whose test is replaced with the rules of AMQP. */
  async bindQueue(queue: string, exchange: string, pattern: string): Promise<Replies.Empty> {
    const reply = await this.#fake.bindQueue(queue, exchange, '#');
    const binding = this.#broker.getExchange(exchange)?.getBinding(queue, '#');
    if (binding) binding.testPattern = this.#memory.addPattern(exchange, queue, pattern);
    return reply;
  }

  async prefetch(count: number): Promise<Replies.Empty> {
    await this.#fake.prefetch(count);
    return {};
  }

  consume(
    queue: string,
    onMessage: (message: ConsumeMessage | null) => void,
    options?: Options.Consume,
  ): Promise<Replies.Consume> {
    const arrived = (message: ConsumeMessage | null): void => {
      if (message && !this.#counted(queue, message)) return;
      this.#post(() => onMessage(message));
    };
    return this.#fake.consume(queue, arrived, options);
  }

  cancel(consumerTag: string): Promise<Replies.Cancel> {
    return this.#fake.cancel(consumerTag);
  }

  get(queue: string, options?: Options.Get): Promise<GetMessage | false> {
    return this.#fake.get(queue, options);
  }

  publish(
    exchange: string,
    routingKey: string,
    content: Buffer,
    options: Options.Publish = {},
    callback: Confirm = () => undefined,
  ): boolean {
    const settle: Confirm = (error, ok) => {
      if (this.#unconfirmed.delete(settle)) callback(error, ok);
    };
    this.#unconfirmed.add(settle);
    // The library does a lot of work before it finds out that no queue receives a message.
    if (!this.isTaken(exchange, routingKey)) {
      queueMicrotask(() => settle(null, {}));
      return true;
    }
    // The library's types do not show that a normal channel calls back, too.
    const publish = this.#fake.publish.bind(this.#fake) as (...args: unknown[]) => boolean;
    return publish(exchange, routingKey, content, options, settle);
  }

  /** Also true for a message that cannot be published, so that the caller gets the error. */
  isTaken(exchange: string, routingKey: string): boolean {
    return !this.#open || !this.#broker.getExchange(exchange) || this.#memory.isTaken(exchange, routingKey);
  }

  ack(message: Message): void {
    this.#forget(message);
    this.#fake.ack(message);
  }

  nack(message: Message, allUpTo = false, requeue = true): void {
    if (!requeue) this.#forget(message);
    this.#fake.nack(message, allUpTo, requeue);
  }

  async close(): Promise<void> {
    await this.#fake.close();
  }

  /** Like a quorum queue, sets the count in a header, and moves messages over the limit to the dead-letter exchange. */
  #counted(queue: string, message: ConsumeMessage): boolean {
    // The library does not set the flag at the first delivery.
    message.fields.redelivered ??= false;
    if (!message.fields.redelivered) return true;
    const { count, exceeded } = this.#memory.countReturn(queue, String(message.properties.messageId));
    if (exceeded) this.nack(message, false, false);
    else if (count > 0) message.properties.headers = { ...message.properties.headers, 'x-delivery-count': count };
    return !exceeded;
  }

  #forget({ fields, properties }: Message): void {
    if (fields.redelivered) this.#memory.forget(String(properties.messageId));
  }

  /** Delivers from the event loop, like a socket, so that a long queue does not block other work. */
  #post(deliver: () => void): void {
    this.#inbox.push(deliver);
    this.#deliverSoon();
  }

  #deliverSoon(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    setImmediate(() => {
      this.#isDelivering = false;
      for (const each of this.#inbox.splice(0, DELIVERED_AT_ONCE)) each();
      if (this.#inbox.length > 0) this.#deliverSoon();
    });
  }

  /** The library requeued the unacknowledged messages, so they must not be delivered here any more. */
  #closed(): void {
    this.#open = false;
    this.#inbox.length = 0;
    for (const settle of [...this.#unconfirmed]) settle(new Error('The channel is closed.'), {});
  }
}

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
