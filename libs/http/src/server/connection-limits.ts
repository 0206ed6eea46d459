import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork, MINUTE_MS } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';

export interface ConnectionLimits {
  readonly max: number;
  readonly maxPerAddress: number;
  /** In which a request has to arrive as a whole. */
  readonly requestTimeoutMs: number;
}

/** Closes connections beyond the limits as soon as they are made, before anything is read, and says so once a minute. */
export function limitConnections(server: Server, limits: ConnectionLimits, logger: Pick<Logger, 'warn'>): void {
  const open = new Map<string, number>();
  let toldAt = -MINUTE_MS;
  const tell = (option: string, address: string | undefined) => {
    const now = performance.now();
    if (now - toldAt < MINUTE_MS) return;
    toldAt = now;
    logger.warn(`A connection was refused: there are as many as ${option} allows.`, { address });
  };
  server.maxConnections = limits.max;
  server.on('drop', (data?: { readonly remoteAddress?: string }) =>
    tell('limits.max_connections', data?.remoteAddress),
  );
  // Of a listener with TLS, too, this is the connection below it.
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const client = clientNetwork(address);
    const count = (open.get(client) ?? 0) + 1;
    if (count > limits.maxPerAddress) {
      tell('limits.max_connections_per_address', address);
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
