import type { FakeAmqplibChannel, FakeAmqplibConnection } from '@onify/fake-amqplib';
import type { BrokerChannel, BrokerConnection } from '../broker/broker-port';
import type { BrokerMemory } from './broker-memory';
import { EmbeddedChannel } from './embedded-channel';

/** amqplib's connection, inside the process. */
export class EmbeddedConnection implements BrokerConnection {
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
   * An ordinary channel: its publish calls back too. The library's own confirm channel rejects what no queue takes,
   * and registers a listener with the broker for every message.
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

  /** The library keeps closed channels, and a queue of each, for ever. */
  #drop(channel: FakeAmqplibChannel): void {
    this.#fake._channels = this.#fake._channels.filter((other) => other !== channel);
    this.#fake._broker.deleteQueue(`#${channel._channelName}`);
  }
}
