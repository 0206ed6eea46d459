import {
  createHttpApp,
  createHttpService,
  healthRoutes,
  serverSettings,
  openApiRoute,
  serviceMetrics,
  type HttpService,
  type Mount,
} from '@switchyard/http';
import type { Service } from '@switchyard/host';
import type { Store } from '@switchyard/storage';
import type { ProcessMetrics, SpanRecorder } from '@switchyard/telemetry';
import type { ApiDependencies } from './api-dependencies';
import { apiRoutes } from './api-routes';
import { consoleSite } from './console/console-site';

export interface ApiServiceDependencies extends ApiDependencies {
  /** Further routes on the same listener, such as those of the other services in an all-in-one. */
  readonly alsoMount?: readonly Mount[];
  /** Nothing is measured when absent. */
  readonly metrics?: ProcessMetrics;
  /** Nothing is recorded when absent. */
  readonly spans?: SpanRecorder;
  /** Turns responses that violate their declared schema into a 500. For tests. */
  readonly checkResponses?: boolean;
}

export const API_PREFIXES: readonly string[] = ['', '/v1'];
/** The paths of a front end, so that it may forward requests as they are. */
const FRONT_END_PREFIXES = ['/api', '/api/v1'];

/** Serves the API on its own listener. */
export function createApiService(deps: ApiServiceDependencies): Service & Pick<HttpService, 'address'> {
  const { config, identities, logger, store, bus, about, alsoMount = [] } = deps;
  const routes = apiRoutes(deps);
  const info = { title: 'Switchyard', version: about.version };
  const measured = serviceMetrics('api', deps.metrics);
  const app = createHttpApp({
    prefixes: [...API_PREFIXES, ...FRONT_END_PREFIXES],
    routes: [...routes, openApiRoute({ prefixes: API_PREFIXES, routes }, info)],
    alsoMount: [{ prefixes: [''], routes: [...healthRoutes(() => service), ...measured.routes] }, ...alsoMount],
    site: consoleSite(),
    authenticate: identities.authenticateIfEnabled,
    access: identities.access,
    ...(deps.audit ? { audit: deps.audit } : {}),
    logger,
    settings: serverSettings(config),
    checkResponses: deps.checkResponses ?? false,
    observe: measured.observe,
    ...(deps.spans ? { spans: deps.spans } : {}),
  });
  const { host, port } = config.api;
  const service = createHttpService({
    name: 'api',
    host,
    port,
    app,
    logger,
    checks: async () => ({ store: await answers(store), bus: bus.ready() ? 'ok' : 'not connected' }),
  });
  return {
    ...service,
    async start() {
      await service.start();
      if (!identities.access.enabled) logger.warn(config.auth.enable ? ALL_ADMINISTRATORS : NO_CREDENTIALS);
    },
  };
}

const ALL_ADMINISTRATORS =
  'rbac.enable is off: every authenticated user is an administrator, without any restrictions.';
const NO_CREDENTIALS =
  'auth.enable is off: every request from a known address acts as an administrator, without credentials.';

async function answers(store: Pick<Store, 'ping'>): Promise<string> {
  try {
    await store.ping();
    return 'ok';
  } catch {
    return 'does not respond';
  }
}
