import { SECOND_MS, type Backoff } from '@switchyard/base';
import type { Writable } from 'node:stream';
import { connect as connectAmqp, credentials, type SocketOptions } from 'amqplib';
import type { BrokerConnection, Connect } from './broker/broker-port';
import type { OnPublished } from './broker/confirming-publisher';
import { createBus } from './broker/create-bus';
import { Link } from './broker/link';
import type { Bus, MessagingLogger } from './bus';

export interface ConnectBusOptions {
  /** `amqp://` or `amqps://`. With several, the first attempt uses a random one, and each further attempt the next one. */
  readonly urls: string | readonly string[];
  /** Prefix of all exchanges and queues, without the dot. */
  readonly prefix: string;
  readonly logger: MessagingLogger;
  /** Called with the time until the confirm of each message, including retries. */
  readonly onPublished?: OnPublished;
  /** Number of failed attempts after which `connectBus` gives up. After the first connection there is no limit. Default 10. */
  readonly firstTries?: number;
  /** How long `publish` waits for the broker's confirm. Default 10 s. */
  readonly publishTimeoutMs?: number;
  readonly reconnection?: Backoff;
  /** Longest pause between attempts to connect; overrides `reconnection.maxMs`. */
  readonly longestPauseMs?: number;
  readonly redelivery?: Backoff;
  /** Certificates and other TLS options, as for `tls.connect`. */
  readonly socket?: SocketOptions;
  /** Default PLAIN. Name and password are those of the URL, but EXTERNAL uses the client certificate. */
  readonly login?: LoginMethod;
}

export type LoginMethod = 'PLAIN' | 'AMQPLAIN' | 'EXTERNAL';

export const PUBLISH_TIMEOUT_MS = 10 * SECOND_MS;
export const RECONNECTION: Backoff = { initialMs: 200, factor: 2, maxMs: 2 * SECOND_MS };
export const REDELIVERY: Backoff = { initialMs: 200, factor: 2, maxMs: 5 * SECOND_MS };

const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;
/** A silent broker is given up after two to three of these. */
const HEARTBEAT_SECONDS = '3';

/** Connects to RabbitMQ. @throws Fault messaging.unavailable if the first connection fails */
export async function connectBus(options: ConnectBusOptions): Promise<Bus> {
  const { prefix, logger, firstTries = 10, publishTimeoutMs = PUBLISH_TIMEOUT_MS } = options;
  const { redelivery = REDELIVERY, onPublished } = options;
  const reconnection = withLongestPause(options);
  const link = new Link({ connect: rotating(options), prefix, logger, backoff: reconnection, firstTries });
  await link.live();
  return createBus({ link, prefix, logger, publishTimeoutMs, redelivery, resubscription: reconnection, onPublished });
}

function withLongestPause({ reconnection = RECONNECTION, longestPauseMs }: ConnectBusOptions): Backoff {
  return longestPauseMs === undefined ? reconnection : { ...reconnection, maxMs: longestPauseMs };
}

function rotating({ urls, socket, login }: ConnectBusOptions): Connect {
  const list = typeof urls === 'string' ? [urls] : urls;
  // Otherwise one node would have the connections of all processes.
  let next = Math.floor(Math.random() * list.length);
  return () => {
    const url = list[next++ % list.length]!;
    return connectRabbit(url, { ...socket, ...(login ? { credentials: credentialsFor(login, url) } : {}) });
  };
}

function credentialsFor(login: LoginMethod, url: string) {
  if (login === 'EXTERNAL') return credentials.external();
  const { username, password } = new URL(url);
  const name = username === '' ? 'guest' : decodeURIComponent(username);
  const word = username === '' ? 'guest' : decodeURIComponent(password);
  return login === 'PLAIN' ? credentials.plain(name, word) : credentials.amqplain(name, word);
}

/** Opens one connection. Without `noDelay`, each confirm takes 40 ms on loopback. The heartbeat detects a dead peer. */
export async function connectRabbit(url: string, socket: SocketOptions = {}): Promise<BrokerConnection> {
  const address = new URL(url);
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', HEARTBEAT_SECONDS);
  const fixed = { noDelay: true, keepAlive: true, timeout: CONNECT_TIMEOUT_MS };
  const model = await connectAmqp(address.href, { ...socket, ...fixed });
  // The library's types do not show that the stream of a connection is its socket.
  const { stream } = model.connection as unknown as { stream: Writable };
  batchWrites(stream);
  return Object.assign(model, { drop: () => void stream.destroy(new Error('the connection was given up')) });
}

/**
 * Sends everything that is written in one turn of the event loop with one system call. amqplib writes each publish and each
 * acknowledgement separately, and the calls cost more than their data.
 */
function batchWrites(stream: Writable): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  let collecting = false;
  stream.write = (...given: unknown[]) => {
    if (!collecting) {
      collecting = true;
      stream.cork();
      setImmediate(() => {
        collecting = false;
        stream.uncork();
      });
    }
    return write(...given);
  };
}
