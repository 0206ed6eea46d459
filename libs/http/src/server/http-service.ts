import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import express, { type Express } from 'express';
import { deferred, SECOND_MS } from '@switchyard/base';
import { openAccess, type AccessControl, type AuditTrail, type Authenticate } from '@switchyard/identity';
import { noSpans, type Logger, type SpanRecorder } from '@switchyard/telemetry';
import { openStreams, type OpenStreams } from '../events/event-stream';
import type { Health } from '../health/service-metrics';
import { DroppedBodies } from '../request/dropped-bodies';
import { OpenBodies } from '../request/read-body';
import { queryMasker } from '../request/request-target';
import { cors } from '../response/send-response';
import { compileRoute } from '../routing/compiled-route';
import type { Mount, Site } from '../routing/route';
import { routeTree } from '../routing/route-tree';
import type { ServerSettings } from './http-settings';
import { limitConnections, listen, newServer, type ConnectionLimits, type ListenPlace, type TlsFiles } from './listen';
import type { Observation } from './record-request';
import { serveRequest, type Serving } from './serve-request';

/** Where to listen, and what to serve there. */
export type HttpServiceOptions = ListenPlace & ServedThere;

interface ServedThere {
  readonly name: string;
  readonly app: HttpApp;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** PEM files; plain HTTP without them. */
  readonly tls?: TlsFiles;
  /** Additional checks for `health`. Each result is `ok` or a problem. */
  readonly checks?: () => Promise<Readonly<Record<string, string>>>;
  /** How long clients have to send the rest of a request or to read a response when the service stops. */
  readonly clientPatienceMs?: number;
}

/** A `Service` of the host package, with the address on which it listens. */
export interface HttpService {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  readonly finished: Promise<void>;
  health(): Promise<Health>;
  /** The health by the latest results of the checks. Waits for nothing; new checks begin unless some are under way. */
  lastHealth(): Health;
  /** Only known after the start. A Unix socket has port 0 and its path as the host. */
  address(): { readonly host: string; readonly port: number };
}

/**
 * Serves an application. States: new → listening (`start`) → stopping (`stop`: accepts no new connections, finishes requests in
 * progress, ends event streams) → ended. It waits for its own work without a limit, but only `clientPatienceMs` for a client that
 * does not send the rest of its request or does not read its response. `kill` closes all connections at once.
 */
export function createHttpService(options: HttpServiceOptions): HttpService {
  const { name, app, logger, checks = () => Promise.resolve({}) } = options;
  const { clientPatienceMs = CLIENT_PATIENCE_MS } = options;
  const finished = deferred();
  // It is not an unhandled rejection, because `start` rejects, too.
  finished.promise.catch(() => undefined);
  let server: Server | undefined;
  let stopping = false;
  const address = () => addressOf(options, server);
  const latest = latestOf(checks);
  const healthBy = (found: Health['checks']) => healthOf(server !== undefined && !stopping, found);
  const connections = new OpenConnections();
  const close = (open: Server) => {
    stopping = true;
    const leave = connections.closeUnlessAtWork(clientPatienceMs);
    open.close(() => {
      leave();
      finished.resolve();
    });
    app.streams.endAll('the service stops');
    open.closeIdleConnections();
  };
  return {
    name,
    address,
    finished: finished.promise,
    async start() {
      const listening = await newServer(
        options.tls,
        app.connectionLimits,
        closingAfterwards(app, () => (stopping ? server : undefined)),
      );
      connections.watch(listening);
      limitConnections(listening, app.connectionLimits, logger);
      await listen(listening, options);
      listening.on('error', finished.reject);
      server = listening;
      logger.info(`${name} listens on ${placeName(address())}`);
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
    health: async () => healthBy(await latest.look()),
    lastHealth() {
      latest.look().catch(() => undefined);
      return healthBy(latest.found());
    },
  };
}

function healthOf(isListening: boolean, found: Health['checks']): Health {
  const allWell = Object.values(found).every((check) => check === 'ok');
  return { live: true, ready: isListening && allWell, checks: { listener: isListening ? 'ok' : 'closed', ...found } };
}

/** Runs checks one at a time and keeps their latest results. */
function latestOf(checks: () => Promise<Health['checks']>) {
  let found: Health['checks'] = {};
  let looking: Promise<Health['checks']> | undefined;
  return {
    found: () => found,
    look: () =>
      (looking ??= checks()
        .then((now) => (found = now))
        .finally(() => (looking = undefined))),
  };
}

const CLIENT_PATIENCE_MS = 5 * SECOND_MS;

function addressOf(place: ListenPlace, server: Server | undefined): { host: string; port: number } {
  if ('socketPath' in place) return { host: place.socketPath, port: 0 };
  return { host: place.host, port: (server?.address() as AddressInfo | null)?.port ?? place.port };
}

const placeName = ({ host, port }: { host: string; port: number }): string => (port === 0 ? host : `${host}:${port}`);

/** Closes kept-alive connections after the response in progress while stopping, because they would delay `stop`. */
function closingAfterwards(app: HttpApp, stopping: () => Server | undefined): RequestListener {
  return (request, response) => {
    response.on('close', () => setImmediate(() => stopping()?.closeIdleConnections()));
    app(request, response);
  };
}

/** A request on a connection, and its response. */
interface OpenExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * The connections of a listener. When a Node.js server closes, it waits forever for connections that are not idle, including those
 * without any request so far and those whose client has stopped sending, because it no longer enforces timeouts.
 */
class OpenConnections {
  /** The exchanges in progress on each connection; undefined before its first request. */
  readonly #open = new Map<Socket, Set<OpenExchange> | undefined>();

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
const isAtWork = (exchanges: ReadonlySet<OpenExchange> = new Set()): boolean =>
  [...exchanges].some(
    ({ request, response }) => request.complete && !response.writableEnded && !response.writableNeedDrain,
  );

export interface HttpAppOptions extends Mount {
  /** More routes under other prefixes, such as those of the auth service in an all-in-one process. */
  readonly alsoMount?: readonly Mount[];
  /** Files for browsers on the same listener. */
  readonly site?: Site;
  /** Identifies the requester. Not called for routes that are `open`. */
  readonly authenticate: Authenticate;
  /** Checks permissions. If absent, everyone may do everything. */
  readonly access?: AccessControl;
  /** Records changes, logins and refusals. Nothing is recorded when absent. */
  readonly audit?: Pick<AuditTrail, 'record'>;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;
  readonly settings: ServerSettings;
  /** Called after each response, for metrics. */
  readonly observe?: (observation: Observation) => void;
  /** Nothing is recorded when absent. */
  readonly spans?: SpanRecorder;
  /** For tests: responses that do not match the declared schema fail with status 500. */
  readonly checkResponses?: boolean;
}

/** An express application that does not listen yet. */
export type HttpApp = Express & {
  readonly streams: OpenStreams;
  /** For the listener of the application. */
  readonly connectionLimits: ConnectionLimits;
};

/**
 * Serves routes with express. Express does not do the routing: a tree of routes is built once, so that the cost of a request
 * does not grow with the number of routes.
 */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { prefixes, routes, alsoMount = [], settings } = options;
  const streams = openStreams();
  const serving: Serving = {
    tree: routeTree([{ prefixes, routes }, ...alsoMount], (route) => compileRoute(route, settings)),
    streams,
    bodies: new OpenBodies(settings.openBodies),
    dropped: new DroppedBodies(),
    settings,
    authenticate: options.authenticate,
    access: options.access ?? openAccess,
    logger: options.logger,
    cors: cors(settings.allowedOrigins),
    maskQuery: queryMasker(settings.maskedParameters),
    observe: options.observe ?? (() => undefined),
    spans: options.spans ?? noSpans,
    checkResponses: options.checkResponses ?? false,
    ...(options.audit ? { audit: options.audit } : {}),
    ...(options.site ? { site: options.site } : {}),
  };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use((request: IncomingMessage, response: ServerResponse) => void serveRequest(serving, request, response));
  return Object.assign(app, { streams, connectionLimits: settings.connections });
}
