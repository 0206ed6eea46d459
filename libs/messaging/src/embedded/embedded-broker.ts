import { FakeAmqplib, type FakeAmqplibChannel, type FakeAmqplibConnection } from '@onify/fake-amqplib';
import type { Backoff } from '@switchyard/base';
import type { BrokerChannel, BrokerConnection, Connect } from '../broker/broker-port';
import type { OnPublished } from '../broker/confirming-publisher';
import { createBus } from '../broker/create-bus';
import { Link } from '../broker/link';
import type { Bus, MessagingLogger } from '../bus';
import { PUBLISH_TIMEOUT_MS, RECONNECTION, REDELIVERY } from '../connect-bus';
import { BrokerMemory, EmbeddedChannel } from './embedded-channel';

/** A broker inside the process. Its messages are lost when the process ends. */
export interface EmbeddedBroker {
  readonly connect: Connect;
}

const ADDRESS = 'amqp://embedded';

export function embeddedBroker(): EmbeddedBroker {
  const library = new FakeAmqplib();
  const memory = new BrokerMemory();
  // The library drops a broker with its last connection, so this connection stays open.
  library.connectSync(ADDRESS);
  return { connect: async () => new EmbeddedConnection(library.connectSync(ADDRESS), memory) };
}

/** An in-process implementation of amqplib's connection. */
class EmbeddedConnection implements BrokerConnection {
  readonly #fake: FakeAmqplibConnection;
  readonly #memory: BrokerMemory;

  constructor(fake: FakeAmqplibConnection, memory: BrokerMemory) {
    this.#fake = fake;
    this.#memory = memory;
  }

  async createChannel(): Promise<BrokerChannel> {
    const channel = (await this.#fake.createChannel()) as FakeAmqplibChannel;
    channel.on('close', () => this.#drop(channel));
    return new EmbeddedChannel(channel, this.#fake._broker, this.#memory);
  }

  /**
   * Returns a normal channel, whose `publish` also calls back. The library's confirm channel rejects messages that no queue receives,
   * and registers a listener for each message.
   */
  createConfirmChannel(): Promise<BrokerChannel> {
    return this.createChannel();
  }

  on(event: 'error' | 'close', listener: (error?: Error) => void): unknown {
    return this.#fake.on(event, listener);
  }

  async close(): Promise<void> {
    await this.#fake.close();
  }

  /** The library keeps closed channels and their queues forever. */
  #drop(channel: FakeAmqplibChannel): void {
    this.#fake._channels = this.#fake._channels.filter((other) => other !== channel);
    this.#fake._broker.deleteQueue(`#${channel._channelName}`);
  }
}

export interface EmbeddedBusOptions {
  readonly prefix: string;
  readonly logger: MessagingLogger;
  /** Called with the time until the confirm of each message, including retries. */
  readonly onPublished?: OnPublished;
  /** Shared by several buses. Default: a new one. */
  readonly broker?: EmbeddedBroker;
  readonly publishTimeoutMs?: number;
  readonly reconnection?: Backoff;
  readonly redelivery?: Backoff;
}

/** Creates a bus without a server. Publishers and consumers can be used at once; they wait until it is connected. */
export function embeddedBus(options: EmbeddedBusOptions): Bus {
  const { prefix, logger, broker = embeddedBroker(), publishTimeoutMs = PUBLISH_TIMEOUT_MS } = options;
  const { reconnection = RECONNECTION, redelivery = REDELIVERY, onPublished } = options;
  const link = new Link({ connect: broker.connect, prefix, logger, backoff: reconnection, firstTries: 1 });
  return createBus({ link, prefix, logger, publishTimeoutMs, redelivery, resubscription: reconnection, onPublished });
}
