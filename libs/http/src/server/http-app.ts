import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import { openAccess, type AccessControl, type Authenticate } from '@switchyard/identity';
import type { Logger } from '@switchyard/telemetry';
import { openStreams, type OpenStreams } from '../events/event-stream';
import { queryMasker } from '../request/request-target';
import { OpenBodies } from '../request/open-bodies';
import { cors } from '../response/cors';
import { compileRoute } from '../routing/compiled-route';
import type { Mount } from '../routing/route';
import { routeTree } from '../routing/route-tree';
import type { ConnectionLimits } from './connections';
import { serveRequest, type Observation, type Serving } from './serve-request';
import type { ServerSettings } from './http-settings';

export interface HttpAppOptions extends Mount {
  /** More routes under other prefixes, such as those of the auth service in an all-in-one process. */
  readonly alsoMount?: readonly Mount[];
  /** Identifies the requester. Not called for routes that are `open`. */
  readonly authenticate: Authenticate;
  /** Checks permissions. If absent, everyone may do everything. */
  readonly access?: AccessControl;
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
  };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use((request: IncomingMessage, response: ServerResponse) => void serveRequest(serving, request, response));
  return Object.assign(app, { streams, connectionLimits: settings.connections });
}
