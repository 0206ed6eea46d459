import { FakeAmqplib, type FakeAmqplibChannel, type FakeAmqplibConnection } from '@onify/fake-amqplib';
import type { BrokerChannel, BrokerConnection, Connect } from '../broker/broker-port';
import { BrokerMemory } from './broker-memory';
import { EmbeddedChannel } from './embedded-channel';

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
