import {
  deadLetterDeclaration,
  exchanges,
  prefixed,
  workQueues,
  type QueueDeclaration,
  type QueueName,
} from '../topology';
import { queueDeclaration } from '../queues';
import type { BrokerChannel } from './broker-port';

/** Declares all exchanges and shared queues. Those that exist stay unchanged; different arguments are an error. */
export async function declareTopology(channel: BrokerChannel, prefix: string): Promise<void> {
  for (const [name, type] of Object.entries(exchanges)) {
    await channel.assertExchange(prefixed(prefix, name), type, { durable: true, autoDelete: false });
  }
  await declareQueue(channel, deadLetterDeclaration(prefix));
  for (const name of Object.keys(workQueues)) {
    await declareQueue(channel, queueDeclaration(prefix, name as QueueName));
  }
}

export async function declareQueue(channel: BrokerChannel, declaration: QueueDeclaration): Promise<void> {
  await channel.assertQueue(declaration.queue, declaration.options);
  for (const { exchange, key } of declaration.bindings) await channel.bindQueue(declaration.queue, exchange, key);
}
