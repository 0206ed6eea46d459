import { FakeAmqplib } from '@onify/fake-amqplib';
import type { Connect } from '../broker/broker-port';
import { BrokerMemory } from './broker-memory';
import { EmbeddedConnection } from './embedded-connection';

/** A broker inside the process. What its queues hold ends with the process. */
export interface EmbeddedBroker {
  readonly connect: Connect;
}

const ADDRESS = 'amqp://embedded';

export function embeddedBroker(): EmbeddedBroker {
  const library = new FakeAmqplib();
  const memory = new BrokerMemory();
  // The library forgets a broker with its last connection: this one stays open.
  library.connectSync(ADDRESS);
  return { connect: async () => new EmbeddedConnection(library.connectSync(ADDRESS), memory) };
}
