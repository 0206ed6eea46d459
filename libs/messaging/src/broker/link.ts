import { backoffMs, deferred, fault, messageOf, type Backoff, type Deferred } from '@switchyard/base';
import type { MessagingLogger } from '../logger';
import type { BrokerChannel, BrokerConnection, Connect } from './broker-port';
import { declareTopology } from './declare';
import { pauseFor } from './pause-for';

/** A connection that works, its publishing channel, and the promise of its end. */
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
  /** Failed tries after which the first connection is given up; later ones are repeated without end. */
  readonly firstTries: number;
}

/**
 * Keeps a connection to the broker.
 *
 * connecting: from the start, and after each loss; `current` is undefined, `live()` waits.
 * live: connected and everything declared; left when the connection or the publishing channel closes.
 * ended: after `close()`, or when the first connection failed too often; `live()` rejects.
 */
export class Link {
  readonly #options: LinkOptions;
  readonly #ending = new AbortController();
  readonly #finished: Promise<void>;
  #current: Live | undefined;
  #waiting: Deferred<Live> = quietDeferred();

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#finished = this.#run();
  }

  get current(): Live | undefined {
    return this.#current;
  }

  /** Raised when the link ends. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** The present connection or the next. @throws Fault messaging.closed, messaging.unavailable */
  live(): Promise<Live> {
    return this.#waiting.promise;
  }

  async close(): Promise<void> {
    this.#end(fault('messaging.closed'));
    if (this.#current) await closed(this.#current);
    await this.#finished;
  }

  async #run(): Promise<void> {
    let everLive = false;
    for (let failures = 0; !this.ending.aborted;) {
      try {
        const live = await this.#establish();
        [everLive, failures] = [true, 0];
        await this.#while(live);
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
      // Without its publishing channel a connection is of no use: everything is declared anew on the next one.
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

  async #while(live: Live): Promise<void> {
    if (this.ending.aborted) return closed(live);
    this.#current = live;
    this.#waiting.resolve(live);
    await live.lost;
    this.#current = undefined;
    if (this.ending.aborted) return;
    this.#waiting = quietDeferred();
    this.#options.logger.warn('The connection to the message broker is lost; connecting again.');
  }

  #end(reason: Error): void {
    this.#ending.abort(reason);
    // A promise that has been resolved stays so: whoever comes later must get the rejection.
    this.#waiting.reject(reason);
    this.#waiting = quietDeferred();
    this.#waiting.reject(reason);
  }
}

/** The library settles nothing when a connection is lost while it waits for the broker to agree to the end. */
const closed = ({ connection, lost }: Pick<Live, 'connection' | 'lost'>): Promise<void> =>
  Promise.race([connection.close().catch(() => undefined), lost]);

/** Nobody has to be waiting when it is rejected. */
function quietDeferred(): Deferred<Live> {
  const waiting = deferred<Live>();
  waiting.promise.catch(() => undefined);
  return waiting;
}
