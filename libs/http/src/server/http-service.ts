import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { deferred, SECOND_MS } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';
import type { HttpApp } from './http-app';

export interface HttpServiceOptions {
  readonly name: string;
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly app: HttpApp;
  readonly logger: Pick<Logger, 'info'>;
  /** PEM files; plain HTTP without them. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  /** Looked at by `health`, besides whether the listener is open. Each is `ok`, or what is wrong. */
  readonly checks?: () => Promise<Readonly<Record<string, string>>>;
}

/** A service as the host runs it (see its `Service`), with the address it listens on. */
export interface HttpService {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  readonly finished: Promise<void>;
  health(): Promise<{ live: boolean; ready: boolean; checks: Readonly<Record<string, string>> }>;
  /** Known once it has started. */
  address(): { readonly host: string; readonly port: number };
}

/**
 * Listens with an application. States: new → listening (`start`) → stopping (`stop`: takes no new connections, finishes
 * requests under way, ends event streams) → ended. `kill` closes every connection at once.
 */
export function createHttpService(options: HttpServiceOptions): HttpService {
  const { name, host, port, app, logger, checks = () => Promise.resolve({}) } = options;
  const finished = deferred();
  // Nobody has to look at it: `start` rejects too.
  finished.promise.catch(() => undefined);
  let server: Server | undefined;
  let stopping = false;
  const address = () => ({ host, port: (server?.address() as AddressInfo | null)?.port ?? port });
  const unused = new UnusedConnections();
  const close = (open: Server) => {
    stopping = true;
    open.close(() => finished.resolve());
    app.streams.endAll('the service stops');
    open.closeIdleConnections();
    unused.close();
  };
  return {
    name,
    address,
    finished: finished.promise,
    async start() {
      const listening = await newServer(
        options,
        closingAfterwards(app, () => (stopping ? server : undefined)),
      );
      unused.watch(listening);
      await listen(listening, host, port);
      listening.on('error', finished.reject);
      server = listening;
      logger.info(`${name} listens on ${host}:${address().port}`);
    },
    async stop() {
      if (!server) return finished.resolve();
      if (!stopping) close(server);
      await finished.promise;
    },
    async kill() {
      if (!server) return finished.resolve();
      if (!stopping) close(server);
      server.closeAllConnections();
      await finished.promise;
    },
    async health() {
      const ready = server !== undefined && !stopping;
      const found = await checks();
      const allWell = Object.values(found).every((check) => check === 'ok');
      return { live: true, ready: ready && allWell, checks: { listener: ready ? 'ok' : 'closed', ...found } };
    },
  };
}

/**
 * An idle connection is kept for longer than proxies keep theirs (60 s as a rule): the one who closes it has to be the one who
 * sends requests, or a request meets a connection that is just being closed.
 */
const KEEP_IDLE_MS = 75 * SECOND_MS;

async function newServer({ tls }: HttpServiceOptions, listener: RequestListener): Promise<Server> {
  const options = { keepAliveTimeout: KEEP_IDLE_MS };
  if (!tls) return createServer(options, listener);
  const [cert, key] = await Promise.all([readFile(tls.certFile), readFile(tls.keyFile)]);
  return createTlsServer({ ...options, cert, key }, listener);
}

/** Connections on which nothing was asked yet: for Node.js they are not idle, and would hold up `stop`. */
class UnusedConnections {
  readonly #sockets = new Set<Socket>();

  watch(server: Server): void {
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage) => this.#sockets.delete(socket));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** A connection that is kept alive would hold up `stop`, so each is closed after the answer that is under way. */
function closingAfterwards(app: HttpApp, stopping: () => Server | undefined): RequestListener {
  return (request, response) => {
    response.on('close', () => setImmediate(() => stopping()?.closeIdleConnections()));
    app(request, response);
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
