import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * The connections of a listener. A server of Node.js that was told to close waits for all that are not idle, for ever: for
 * those on which nothing was asked yet, too, and for those whose client sends no more, since it enforces no time limit then.
 */
export class OpenConnections {
  /** What is under way on each; undefined until something was asked. */
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
   * Closes at once what nothing was asked on, and later what still waits for its client after so long.
   * @returns a function that ends these looks
   */
  closeUnlessAtWork(patienceMs: number): () => void {
    for (const [socket, exchanges] of this.#open) if (!exchanges) socket.destroy();
    let waiting: ReadonlySet<Socket> = new Set();
    const look = () => {
      const now = [...this.#open].flatMap(([socket, exchanges]) => (isAtWork(exchanges) ? [] : [socket]));
      for (const socket of now) if (waiting.has(socket)) socket.destroy();
      waiting = new Set(now);
    };
    // At two looks in a row: an answer may just be on its way.
    const timer = setInterval(look, patienceMs / 2);
    return () => clearInterval(timer);
  }
}

/** Whether anything is being done for a request that is there as a whole. */
const isAtWork = (exchanges: ReadonlySet<Exchange> = new Set()): boolean =>
  [...exchanges].some(
    ({ request, response }) => request.complete && !response.writableEnded && !response.writableNeedDrain,
  );
