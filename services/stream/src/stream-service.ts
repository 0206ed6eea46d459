import {
  createHttpApp,
  createHttpService,
  healthRoutes,
  serverSettings,
  serviceMetrics,
  type HttpService,
} from '@switchyard/http';
import type { Config } from '@switchyard/config';
import type { AccessControl, AuditTrail, Authenticate } from '@switchyard/identity';
import type { Bus } from '@switchyard/messaging';
import type { ProcessMetrics, SpanRecorder } from '@switchyard/telemetry';
import { createMessageFeed } from './message-feed';
import { streamMounts, streamRoutes, type StreamRouteDeps } from './routes';

export interface StreamDeps extends Omit<StreamRouteDeps, 'feed'> {
  /** Nothing is recorded when absent. */
  readonly audit?: AuditTrail;
  config: Config;
  bus: Bus;
  authenticate: Authenticate;
  access?: AccessControl;
  /** Without them nothing is measured. */
  metrics?: ProcessMetrics;
  /** Nothing is recorded when absent. */
  spans?: SpanRecorder;
}

/** Serves server-sent events on its own port. */
export function createStreamService(deps: StreamDeps): HttpService {
  const feed = createMessageFeed(deps.bus);
  const checks = () => Promise.resolve({ bus: deps.bus.ready() ? 'ok' : 'not connected' });
  const measured = serviceMetrics('stream', deps.metrics);
  const routes = streamRoutes({ ...deps, feed });
  const app = createHttpApp({
    prefixes: ['', '/v1'],
    routes: [...routes, ...healthRoutes(() => service), ...measured.routes],
    alsoMount: streamMounts(routes),
    authenticate: deps.authenticate,
    ...(deps.access ? { access: deps.access } : {}),
    ...(deps.audit ? { audit: deps.audit } : {}),
    logger: deps.logger,
    settings: serverSettings(deps.config),
    observe: measured.observe,
    ...(deps.spans ? { spans: deps.spans } : {}),
  });
  const { host, port } = deps.config.stream;
  const service = createHttpService({ name: 'stream', host, port, app, logger: deps.logger, checks });
  return {
    ...service,
    async stop() {
      await service.stop();
      await feed.stop();
    },
    async kill() {
      await service.kill();
      await feed.stop();
    },
  };
}
