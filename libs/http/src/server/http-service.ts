import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { deferred, fault, messageOf, SECOND_MS } from '@switchyard/base';
import { openAccess, type AccessControl, type AuditTrail, type Authenticate } from '@switchyard/identity';
import type { Logger } from '@switchyard/telemetry';
import { openStreams, type OpenStreams } from '../events/event-stream';
import { OpenBodies } from '../request/read-body';
import { queryMasker } from '../request/request-target';
import { cors } from '../response/send-response';
import { compileRoute } from '../routing/compiled-route';
import type { Mount } from '../routing/route';
import { routeTree } from '../routing/route-tree';
import { limitConnections, OpenConnections, type ConnectionLimits } from './connections';
import type { ServerSettings } from './http-settings';
import { listen, type ListenPlace } from './listen';
import { serveRequest, type Observation, type Serving } from './serve-request';

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

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A `Service` of the host package, with the address on which it listens. */
export interface HttpService {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  readonly finished: Promise<void>;
  health(): Promise<{ live: boolean; ready: boolean; checks: Readonly<Record<string, string>> }>;
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
        options,
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
    async health() {
      const ready = server !== undefined && !stopping;
      const found = await checks();
      const allWell = Object.values(found).every((check) => check === 'ok');
      return { live: true, ready: ready && allWell, checks: { listener: ready ? 'ok' : 'closed', ...found } };
    },
  };
}

/**
 * Idle connections stay open for longer than in proxies (usually 60 s). The proxy must be the one that closes a connection;
 * otherwise it may send a request on a connection that is just being closed.
 */
const KEEP_IDLE_MS = 75 * SECOND_MS;
const CLIENT_PATIENCE_MS = 5 * SECOND_MS;
/** Maximum time for the head of a request to arrive. */
const HEADERS_MS = 30 * SECOND_MS;
/** Interval of checks for requests that arrive too slowly. */
const LATE_REQUESTS_MS = 5 * SECOND_MS;
/** Maximum time for a TLS handshake. */
const HANDSHAKE_MS = 10 * SECOND_MS;

async function newServer({ tls, app }: HttpServiceOptions, listener: RequestListener): Promise<Server> {
  const { requestTimeoutMs } = app.connectionLimits;
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

export interface HttpAppOptions extends Mount {
  /** More routes under other prefixes, such as those of the auth service in an all-in-one process. */
  readonly alsoMount?: readonly Mount[];
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
    settings,
    authenticate: options.authenticate,
    access: options.access ?? openAccess,
    logger: options.logger,
    cors: cors(settings.allowedOrigins),
    maskQuery: queryMasker(settings.maskedParameters),
    observe: options.observe ?? (() => undefined),
    checkResponses: options.checkResponses ?? false,
    ...(options.audit ? { audit: options.audit } : {}),
  };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use((request: IncomingMessage, response: ServerResponse) => void serveRequest(serving, request, response));
  return Object.assign(app, { streams, connectionLimits: settings.connections });
}
