import { once } from 'node:events';
import { readFile, rm, stat } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { clientNetwork, fault, messageOf, MINUTE_MS, SECOND_MS } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * Idle connections stay open for longer than in proxies (usually 60 s). The proxy must be the one that closes a connection;
 * otherwise it may send a request on a connection that is just being closed.
 */
const KEEP_IDLE_MS = 75 * SECOND_MS;
/** Maximum time for the head of a request to arrive. */
const HEADERS_MS = 30 * SECOND_MS;
/** Interval of checks for requests that arrive too slowly. */
const LATE_REQUESTS_MS = 5 * SECOND_MS;
/** Maximum time for a TLS handshake. */
const HANDSHAKE_MS = 10 * SECOND_MS;

/** A server that does not listen yet. @throws Fault `config.conflict` if it cannot serve TLS */
export async function newServer(
  tls: TlsFiles | undefined,
  { requestTimeoutMs }: ConnectionLimits,
  listener: RequestListener,
): Promise<Server> {
  const options = {
    keepAliveTimeout: KEEP_IDLE_MS,
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(HEADERS_MS, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(LATE_REQUESTS_MS, requestTimeoutMs),
  };
  if (!tls) return createServer(options, listener);
  try {
    const [cert, key] = await Promise.all([readFile(tls.certFile), readFile(tls.keyFile)]);
    return createTlsServer({ ...options, cert, key, handshakeTimeout: HANDSHAKE_MS }, listener);
  } catch (cause) {
    const files = `the certificate ${tls.certFile} and the key ${tls.keyFile}`;
    throw fault('config.conflict', { text: `cannot serve TLS with ${files}: ${messageOf(cause)}` }, { cause });
  }
}

export interface PortPlace {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** A Unix socket. Its user and its group may connect. */
export interface SocketPlace {
  readonly socketPath: string;
}

export type ListenPlace = PortPlace | SocketPlace;

/** Rejects with the system's error, or Fault `config.conflict` for a path that is not free. */
export async function listen(server: Server, place: ListenPlace): Promise<void> {
  if ('socketPath' in place) return listenOnSocket(server, place.socketPath);
  server.listen(place.port, place.host);
  await once(server, 'listening');
}

/** Everyone except its user and its group is kept out from the very beginning. */
const SOCKET_UMASK = 0o117;

async function listenOnSocket(server: Server, path: string): Promise<void> {
  await removeLeftOver(path);
  const before = process.umask(SOCKET_UMASK);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  await once(server, 'listening');
}

/** Removes the socket of a process that was killed. */
async function removeLeftOver(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isSocket()) throw fault('config.conflict', { text: `${path} is a file, not a socket` });
  if (await accepts(path)) throw fault('config.conflict', { text: `another process listens on ${path}` });
  await rm(path, { force: true });
}

async function accepts(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export interface ConnectionLimits {
  readonly max: number;
  readonly maxPerAddress: number;
  /** Maximum time for a complete request to arrive. */
  readonly requestTimeoutMs: number;
}

/** Closes connections over the limits before reading from them. It logs a warning at most once a minute. */
export function limitConnections(server: Server, limits: ConnectionLimits, logger: Pick<Logger, 'warn'>): void {
  const open = new Map<string, number>();
  let loggedAt = -MINUTE_MS;
  const warn = (option: string, address: string | undefined) => {
    const now = performance.now();
    if (now - loggedAt < MINUTE_MS) return;
    loggedAt = now;
    logger.warn(`A connection was refused because of ${option}.`, { address });
  };
  server.maxConnections = limits.max;
  server.on('drop', (data?: { readonly remoteAddress?: string }) =>
    warn('limits.max_connections', data?.remoteAddress),
  );
  // With TLS, this event is about the underlying TCP connection.
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const client = clientNetwork(address);
    const count = (open.get(client) ?? 0) + 1;
    if (count > limits.maxPerAddress) {
      warn('limits.max_connections_per_address', address);
      socket.destroy();
      return;
    }
    open.set(client, count);
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1;
      if (left === 0) open.delete(client);
      else open.set(client, left);
    });
  });
}
