import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import { openAccess, type AccessControl, type Authenticate } from '@switchyard/identity';
import type { Logger } from '@switchyard/telemetry';
import { openStreams, type OpenStreams } from '../events/open-streams';
import { queryMasker } from '../request/masked-target';
import { OpenBodies } from '../request/open-bodies';
import { cors } from '../response/cors';
import { compileRoute } from '../routing/compiled-route';
import type { Mount } from '../routing/route';
import { routeTree } from '../routing/route-tree';
import type { ConnectionLimits } from './connection-limits';
import { serveRequest, type Observation, type Serving } from './serve-request';
import type { HttpSettings } from './http-settings';

export interface HttpAppOptions extends Mount {
  /** Further routes under other prefixes, such as the auth service's within an all-in-one. */
  readonly alsoMount?: readonly Mount[];
  /** Who is asking; not called for routes that are `open`. */
  readonly authenticate: Authenticate;
  /** Permissions; everybody may do everything when absent. */
  readonly access?: AccessControl;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;
  readonly settings: HttpSettings;
  /** Told about each request once it is answered, for metrics. */
  readonly observe?: (observation: Observation) => void;
  /** Answers that do not fit the declared schema become a 500: for tests. */
  readonly checkResponses?: boolean;
}

/** An express application that does not listen yet. */
export type HttpApp = Express & {
  readonly streams: OpenStreams;
  /** For the listener that the application gets. */
  readonly connectionLimits: ConnectionLimits;
};

/**
 * Hosts routes on express. Express carries the application and nothing else: routing is a tree that is built once, so that
 * the cost of a request does not grow with the number of routes.
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
  };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use((request: IncomingMessage, response: ServerResponse) => void serveRequest(serving, request, response));
  return Object.assign(app, { streams, connectionLimits: settings.connections });
}
