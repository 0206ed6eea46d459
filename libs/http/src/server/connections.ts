import type { Socket } from 'node:net';
import { clientNetwork, MINUTE_MS } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';

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

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * The connections of a listener. When a Node.js server closes, it waits forever for connections that are not idle, including those
 * without any request so far and those whose client has stopped sending, because it no longer enforces timeouts.
 */
export class OpenConnections {
  /** The exchanges in progress on each connection; undefined before its first request. */
  readonly #open = new Map<Socket, Set<Exchange> | undefined>();

  watch(server: Server): void {
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#open.set(socket, undefined);
      socket.once('close', () => this.#open.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const exchanges = this.#open.get(request.socket) ?? new Set();
      const exchange = { request, response };
      this.#open.set(request.socket, exchanges.add(exchange));
      response.once('close', () => exchanges.delete(exchange));
    });
  }

  /**
   * Closes connections without any request at once, and connections that wait for their client after the given time.
   * @returns a function that stops these checks
   */
  closeUnlessAtWork(patienceMs: number): () => void {
    for (const [socket, exchanges] of this.#open) if (!exchanges) socket.destroy();
    let waiting: ReadonlySet<Socket> = new Set();
    const check = () => {
      const now = [...this.#open].flatMap(([socket, exchanges]) => (isAtWork(exchanges) ? [] : [socket]));
      for (const socket of now) if (waiting.has(socket)) socket.destroy();
      waiting = new Set(now);
    };
    // Closes a connection only if two checks in a row find it waiting, because a response may be on its way.
    const timer = setInterval(check, patienceMs / 2);
    return () => clearInterval(timer);
  }
}

/** Whether the service is working on a request that it received completely. */
const isAtWork = (exchanges: ReadonlySet<Exchange> = new Set()): boolean =>
  [...exchanges].some(
    ({ request, response }) => request.complete && !response.writableEnded && !response.writableNeedDrain,
  );
