import { deferred, fault, isFault, messageOf, type Deferred } from '@switchyard/base';
import type { Publisher } from '../bus';
import { checkPointer, encode, type Message } from '../messages';
import { exchanges, prefixed, type ExchangeName } from '../topology';
import type { BrokerChannel } from './broker-port';
import { pauseFor, type Link, type Live } from './link';

const RETRY_MS = 50;
/** After a message has been refused on a connection for so long, the connection is replaced. */
const REFUSED_MS = 1500;
const PROPERTIES = { persistent: true, contentType: 'application/json' };

/** The error of amqplib for a message that the broker has refused. */
const REFUSED = 'message nacked';

/** Called for each message that the broker has confirmed. */
export type OnPublished = (message: Message, durationMs: number) => void;

interface Outgoing {
  readonly message: Message;
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
}

/** The attempts to send a message. */
interface Delivery {
  readonly outgoing: Outgoing;
  readonly deadline: number;
  /** The connection on which the broker refuses it, and since when. */
  refusal?: { readonly live: Live; readonly sinceMs: number };
}

/** Publishes on the link's channel and waits for confirms. After a lost connection it tries again until a deadline. */
export class ConfirmingPublisher implements Publisher {
  readonly #link: Link;
  readonly #timeoutMs: number;
  readonly #onPublished: OnPublished | undefined;
  readonly #names: ReadonlyMap<ExchangeName, string>;
  #inProgress = 0;
  #idle: Deferred<void> | undefined;
  #closed = false;

  constructor(link: Link, prefix: string, timeoutMs: number, onPublished?: OnPublished) {
    this.#link = link;
    this.#timeoutMs = timeoutMs;
    this.#onPublished = onPublished;
    const names = Object.keys(exchanges) as ExchangeName[];
    this.#names = new Map(names.map((name) => [name, prefixed(prefix, name)]));
  }

  async publish(message: Message): Promise<void> {
    await this.publishAll([message]);
  }

  async publishAll(messages: readonly Message[]): Promise<void> {
    const all = messages.flatMap((message) => this.#outgoing(message) ?? []);
    await Promise.all(all.map((outgoing) => this.#send(outgoing)));
  }

  /** Rejects further messages and waits for those in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#inProgress > 0) await (this.#idle ??= deferred()).promise;
  }

  /** @returns undefined for a message that the embedded broker would drop, because no queue receives it */
  #outgoing(message: Message): Outgoing | undefined {
    if (this.#closed) throw fault('messaging.closed');
    const { routingKey } = message;
    const exchange = this.#names.get(message.exchange)!;
    if (this.#link.current?.channel.isTaken?.(exchange, routingKey) === false && checkPointer(message)) {
      this.#onPublished?.(message, 0);
      return undefined;
    }
    return { message, exchange, routingKey, content: encode(message) };
  }

  async #send(outgoing: Outgoing): Promise<void> {
    this.#inProgress += 1;
    try {
      const startMs = performance.now();
      const delivery: Delivery = { outgoing, deadline: startMs + this.#timeoutMs };
      while (!(await this.#sent(delivery))) await pauseFor(RETRY_MS, this.#link.ending);
      this.#onPublished?.(outgoing.message, performance.now() - startMs);
    } finally {
      this.#inProgress -= 1;
      if (this.#inProgress === 0) this.#idle?.resolve();
    }
  }

  /** @returns false if another attempt may succeed */
  async #sent(delivery: Delivery): Promise<boolean> {
    const { outgoing, deadline } = delivery;
    let live: Live | undefined;
    try {
      live = this.#link.current ?? (await this.#liveBefore(deadline));
      await confirmed(live.channel, outgoing, deadline);
      return true;
    } catch (error) {
      if (isFault(error)) throw error;
      if (live && messageOf(error) === REFUSED) noteRefusal(delivery, live);
      if (performance.now() + RETRY_MS < deadline) return false;
      throw fault('messaging.unavailable', { text: messageOf(error) }, { cause: error });
    }
  }

  #liveBefore(deadline: number): Promise<Live> {
    return new Promise((resolve, reject) => {
      const timer = expiry(deadline, reject, 'there is no connection');
      this.#link
        .live()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }
}

/**
 * When a node of a cluster has died, RabbitMQ may go on to refuse what is sent to a queue that was led by it, on a channel that was open
 * before, although the queue has a new leader. A new connection is not affected.
 */
function noteRefusal(delivery: Delivery, live: Live): void {
  const now = performance.now();
  if (delivery.refusal?.live !== live) delivery.refusal = { live, sinceMs: now };
  else if (now - delivery.refusal.sinceMs > REFUSED_MS) live.connection.drop?.();
}

function confirmed(
  channel: BrokerChannel,
  { exchange, routingKey, content }: Outgoing,
  deadline: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = expiry(deadline, reject, 'it did not confirm a message in time');
    const settle = (error: unknown): void => {
      clearTimeout(timer);
      if (error) reject(error instanceof Error ? error : new Error(messageOf(error)));
      else resolve();
    };
    try {
      channel.publish(exchange, routingKey, content, PROPERTIES, settle);
    } catch (error) {
      settle(error);
    }
  });
}

const expiry = (deadline: number, reject: (reason: Error) => void, text: string): NodeJS.Timeout =>
  setTimeout(() => reject(new Error(text)), Math.max(0, deadline - performance.now()));
