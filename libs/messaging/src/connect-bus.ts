import { SECOND_MS, type Backoff } from '@switchyard/base';
import type { Writable } from 'node:stream';
import { connect as connectAmqp, type SocketOptions } from 'amqplib';
import { batchWrites } from './broker/batch-writes';
import type { BrokerConnection, Connect } from './broker/broker-port';
import type { OnPublished } from './broker/confirming-publisher';
import { createBus } from './broker/create-bus';
import { Link } from './broker/link';
import type { Bus } from './bus';
import type { MessagingLogger } from './logger';

export interface ConnectBusOptions {
  /** `amqp://` or `amqps://`; of several, each try takes the next one. */
  readonly urls: string | readonly string[];
  /** Of every exchange and queue, without the dot. */
  readonly prefix: string;
  readonly logger: MessagingLogger;
  /** Told how long the confirm of each message took, retries included. */
  readonly onPublished?: OnPublished;
  /** Failed tries after which `connectBus` gives up; none of it counts once it has been connected. Normally 10. */
  readonly firstTries?: number;
  /** How long `publish` waits for the broker's confirm. Normally 10 s. */
  readonly publishTimeoutMs?: number;
  readonly reconnection?: Backoff;
  readonly redelivery?: Backoff;
  /** Certificates and other TLS options, as of `tls.connect`; credentials, if not in the URL. */
  readonly socket?: SocketOptions;
}

export const PUBLISH_TIMEOUT_MS = 10 * SECOND_MS;
export const RECONNECTION: Backoff = { initialMs: 200, factor: 2, maxMs: 2 * SECOND_MS };
export const REDELIVERY: Backoff = { initialMs: 200, factor: 2, maxMs: 5 * SECOND_MS };

const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;
const HEARTBEAT_SECONDS = '15';

/** Connects to RabbitMQ. @throws Fault messaging.unavailable when the first connection does not come about */
export async function connectBus(options: ConnectBusOptions): Promise<Bus> {
  const { prefix, logger, firstTries = 10, publishTimeoutMs = PUBLISH_TIMEOUT_MS } = options;
  const { reconnection = RECONNECTION, redelivery = REDELIVERY, onPublished } = options;
  const link = new Link({ connect: rotating(options), prefix, logger, backoff: reconnection, firstTries });
  await link.live();
  return createBus({ link, prefix, logger, publishTimeoutMs, redelivery, resubscription: reconnection, onPublished });
}

function rotating({ urls, socket }: ConnectBusOptions): Connect {
  const list = typeof urls === 'string' ? [urls] : urls;
  let next = 0;
  return () => {
    const url = list[next++ % list.length]!;
    return connectRabbit(url, socket);
  };
}

/** One connection. Without `noDelay` each confirm takes 40 ms on loopback; the heartbeat finds a dead peer. */
export async function connectRabbit(url: string, socket: SocketOptions = {}): Promise<BrokerConnection> {
  const address = new URL(url);
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', HEARTBEAT_SECONDS);
  const fixed = { noDelay: true, keepAlive: true, timeout: CONNECT_TIMEOUT_MS };
  const model = await connectAmqp(address.href, { ...socket, ...fixed });
  // The library's types do not show it: the stream of a connection is its socket.
  batchWrites((model.connection as unknown as { stream: Writable }).stream);
  return model;
}
