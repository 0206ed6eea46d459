import type { ConfirmChannel } from 'amqplib';

type ChannelOperations =
  | 'assertExchange'
  | 'assertQueue'
  | 'checkQueue'
  | 'bindQueue'
  | 'prefetch'
  | 'consume'
  | 'cancel'
  | 'get'
  | 'publish'
  | 'ack'
  | 'nack'
  | 'close';

/** The part of amqplib's channel that messaging uses. Without confirms, the callback of `publish` is never called. */
export interface BrokerChannel extends Pick<ConfirmChannel, ChannelOperations> {
  /** Whether a queue would receive a message. Absent if only the broker knows. */
  isTaken?(exchange: string, routingKey: string): boolean;
  on(event: 'error' | 'close', listener: (error?: Error) => void): unknown;
}

/** The part of amqplib's connection that messaging uses. */
export interface BrokerConnection {
  createChannel(): Promise<BrokerChannel>;
  createConfirmChannel(): Promise<BrokerChannel>;
  on(event: 'error' | 'close', listener: (error?: Error) => void): unknown;
  close(): Promise<void>;
  /** Ends the connection at once, without an answer of the broker. The embedded broker always answers. */
  drop?(): void;
}

/** Makes one attempt to connect. */
export type Connect = () => Promise<BrokerConnection>;
