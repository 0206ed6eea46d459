import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs, deferred, fault, messageOf, type Backoff, type Deferred } from '@switchyard/base';
import type { MessagingLogger } from '../bus';
import type { BrokerChannel, BrokerConnection, Connect } from './broker-port';
import { declareTopology } from './declare';

/** A working connection, its publishing channel, and a promise that resolves when it is lost. */
export interface Live {
  readonly connection: BrokerConnection;
  readonly channel: BrokerChannel;
  readonly lost: Promise<void>;
}

export interface LinkOptions {
  readonly connect: Connect;
  readonly prefix: string;
  readonly logger: MessagingLogger;
  readonly backoff: Backoff;
  /** Number of failed attempts at the first connection after which the link gives up. Reconnecting has no limit. */
  readonly firstTries: number;
}

/**
 * Keeps a connection to the broker.
 *
 * connecting: at the start and after each lost connection. `current` is undefined, and `live()` waits.
 * live: connected, with all exchanges and queues declared. It ends when the connection or the publishing channel closes.
 * ended: after `close()` or `abandon()`, or when the first connection failed too often. `live()` rejects.
 */
export class Link {
  readonly #options: LinkOptions;
  readonly #ending = new AbortController();
  readonly #reconnectListeners: (() => void)[] = [];
  readonly #finished: Promise<void>;
  readonly #abandoned = deferred();
  #current: Live | undefined;
  #waiting: Deferred<Live> = quietDeferred();

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#finished = this.#run();
  }

  get current(): Live | undefined {
    return this.#current;
  }

  /** Aborted when the link ends. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** The current connection or the next one. @throws Fault messaging.closed, messaging.unavailable */
  live(): Promise<Live> {
    return this.#waiting.promise;
  }

  /** Calls the listener each time that a lost connection is replaced. */
  onReconnect(listener: () => void): void {
    this.#reconnectListeners.push(listener);
  }

  /** Resolves when the broker responds, which may be never. @throws Fault messaging.unavailable */
  async ping(): Promise<void> {
    if (!this.#current) throw fault('messaging.unavailable', { text: 'there is no connection' });
    // This channel has no consumers, so its prefetch has no effect.
    await this.#current.channel.prefetch(0);
  }

  /** Ends without waiting for the broker. */
  abandon(): void {
    this.#end(fault('messaging.closed'));
    this.#abandoned.resolve();
    this.#current?.connection.drop?.();
  }

  async close(): Promise<void> {
    this.#end(fault('messaging.closed'));
    await Promise.race([this.#disconnected(), this.#abandoned.promise]);
  }

  async #disconnected(): Promise<void> {
    if (this.#current) await closed(this.#current);
    await this.#finished;
  }

  async #run(): Promise<void> {
    let everLive = false;
    for (let failures = 0; !this.ending.aborted;) {
      try {
        const live = await this.#establish();
        const isReplacement = everLive;
        [everLive, failures] = [true, 0];
        await this.#while(live, isReplacement);
      } catch (error) {
        failures += 1;
        const waitMs = backoffMs(this.#options.backoff, failures);
        this.#options.logger.warn('No connection to the message broker.', {
          error: messageOf(error),
          failures,
          waitMs,
        });
        if (!everLive && failures >= this.#options.firstTries) {
          this.#end(fault('messaging.unavailable', { text: messageOf(error) }, { cause: error }));
        }
        await pauseFor(waitMs, this.ending);
      }
    }
  }

  async #establish(): Promise<Live> {
    const { connect, prefix, logger } = this.#options;
    const connection = await connect();
    const lost = deferred();
    connection.on('error', (error) => logger.warn('The broker connection failed.', { error: messageOf(error) }));
    connection.on('close', () => lost.resolve());
    try {
      const channel = await connection.createConfirmChannel();
      channel.on('error', (error) => logger.warn('The publishing channel failed.', { error: messageOf(error) }));
      // A connection without its publishing channel is useless, so the link opens a new one.
      channel.on('close', () => {
        lost.resolve();
        connection.close().catch(() => undefined);
      });
      await declareTopology(channel, prefix);
      return { connection, channel, lost: lost.promise };
    } catch (error) {
      await closed({ connection, lost: lost.promise });
      throw error;
    }
  }

  async #while(live: Live, isReplacement: boolean): Promise<void> {
    if (this.ending.aborted) return closed(live);
    this.#current = live;
    this.#waiting.resolve(live);
    if (isReplacement) for (const listener of this.#reconnectListeners) listener();
    await live.lost;
    this.#current = undefined;
    if (this.ending.aborted) return;
    this.#waiting = quietDeferred();
    this.#options.logger.warn('Lost the connection to the message broker; reconnecting.');
  }

  #end(reason: Error): void {
    this.#ending.abort(reason);
    // If the promise is already resolved, later callers need a new one that rejects.
    this.#waiting.reject(reason);
    this.#waiting = quietDeferred();
    this.#waiting.reject(reason);
  }
}

/** amqplib never settles `close` if the connection is lost while it waits for the broker's answer. */
const closed = ({ connection, lost }: Pick<Live, 'connection' | 'lost'>): Promise<void> =>
  Promise.race([connection.close().catch(() => undefined), lost]);

/** A deferred whose rejection is not an unhandled rejection if nothing waits for it. */
function quietDeferred(): Deferred<Live> {
  const waiting = deferred<Live>();
  waiting.promise.catch(() => undefined);
  return waiting;
}

/** Waits until the time is up or the signal is aborted. The timer keeps the process alive, because callers wait for the broker. */
export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
