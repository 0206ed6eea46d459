export type { BrokerChannel, BrokerConnection, Connect } from './broker/broker-port';
export type { OnPublished } from './broker/confirming-publisher';
export type { Bus, ConsumeOptions, Consumer, Delivery, MessageHandler, MessagingLogger, Publisher } from './bus';
export { connectBus, connectRabbit, type ConnectBusOptions, type LoginMethod } from './connect-bus';
export { embeddedBroker, type EmbeddedBroker, embeddedBus, type EmbeddedBusOptions } from './embedded/embedded-broker';
export * from './messages';
export {
  controlQueue,
  engineQueue,
  isPoolName,
  permitQueue,
  poolQueue,
  queueDeclaration,
  watchQueue,
  type MessageFrom,
  type WatchQueue,
} from './queues';
export {
  DEAD_LETTER,
  DELIVERY_LIMIT,
  exchanges,
  prefixed,
  DUE_FOR_ENGINE,
  workQueues,
  type ExchangeName,
  type PoolQueueName,
  type QueueName,
} from './topology';
