import type { Service } from '@switchyard/host';
import {
  createHttpApp,
  createHttpService,
  healthRoutes,
  indexRoute,
  openApiRoute,
  serverSettings,
  serviceMetrics,
  type About,
  type HttpService,
  type Route,
} from '@switchyard/http';
import type { AuditTrail } from '@switchyard/identity';
import type { Store } from '@switchyard/storage';
import type { ProcessMetrics, SpanRecorder } from '@switchyard/telemetry';
import { createAuthRoutes, type AuthRoutes, type AuthRoutesDependencies } from './auth-routes';

export interface AuthServiceDependencies extends AuthRoutesDependencies {
  readonly store: Pick<Store, 'ping' | 'roleAssignments' | 'groupMappings' | 'loginFailures' | 'loginGrants'>;
  readonly about: About;
  /** Nothing is recorded when absent. */
  readonly audit?: AuditTrail;
  /** Nothing is measured when absent. */
  readonly metrics?: ProcessMetrics;
  /** Nothing is recorded when absent. */
  readonly spans?: SpanRecorder;
  /** Routes that another listener of the process serves as well. Default: created from the configuration. */
  readonly auth?: AuthRoutes;
}

const PREFIXES = ['', '/v1'];
/** The paths of a front end, so that it may forward requests as they are. */
export const AUTH_PREFIXES = ['/auth', '/auth/v1'];

/**
 * Issues tokens, on its own port and, if configured, on a Unix socket. @throws Fault `config.conflict`
 */
export function createAuthService(deps: AuthServiceDependencies): Service & Pick<HttpService, 'address'> {
  const { config, logger, store } = deps;
  const { routes, socketRoutes, close } = deps.auth ?? createAuthRoutes(deps);
  const { host, port, use_ssl: tls, cert, key, proxy_socket: socketPath } = config.auth;
  const measured = serviceMetrics('auth', deps.metrics);
  const serve = (served: readonly Route[]) => authApp(deps, served, { measured, reporter: () => onPort });
  const shared = { name: 'auth', logger, checks: async () => ({ store: await answers(store) }) };
  const onPort = createHttpService({
    ...shared,
    host,
    port,
    app: serve(routes),
    ...(tls ? { tls: { certFile: cert as string, keyFile: key as string } } : {}),
  });
  const onSocket = socketPath === null ? [] : [createHttpService({ ...shared, socketPath, app: serve(socketRoutes) })];
  const service = onBoth(onPort, onSocket);
  void service.finished.then(close, close);
  return service;
}

interface Watched {
  readonly measured: ReturnType<typeof serviceMetrics>;
  readonly reporter: () => HttpService;
}

function authApp(
  { config, identities, logger, about, audit, spans }: AuthServiceDependencies,
  routes: readonly Route[],
  { measured, reporter }: Watched,
) {
  const documented = [indexRoute(about), ...routes];
  const info = { title: 'Switchyard auth', version: about.version };
  return createHttpApp({
    prefixes: [...PREFIXES, ...AUTH_PREFIXES],
    routes: [...documented, openApiRoute({ prefixes: PREFIXES, routes: documented }, info)],
    alsoMount: [{ prefixes: [''], routes: [...healthRoutes(reporter), ...measured.routes] }],
    authenticate: identities.authenticate,
    access: identities.access,
    ...(audit ? { audit } : {}),
    logger,
    settings: serverSettings(config),
    observe: measured.observe,
    ...(spans ? { spans } : {}),
  });
}

/** The first listener with further ones that start, stop and end with it. */
function onBoth(first: HttpService, others: readonly HttpService[]): HttpService {
  const all = [first, ...others];
  const each = async (act: (service: HttpService) => Promise<void>) => void (await Promise.all(all.map(act)));
  const finished = Promise.all(all.map((service) => service.finished)).then(() => undefined);
  // It is not an unhandled rejection, because `start` rejects, too.
  finished.catch(() => undefined);
  return {
    ...first,
    finished,
    start: async () => {
      for (const service of all) await service.start();
    },
    stop: () => each((service) => service.stop()),
    kill: () => each((service) => service.kill()),
  };
}

async function answers(store: Pick<Store, 'ping'>): Promise<string> {
  try {
    await store.ping();
    return 'ok';
  } catch {
    return 'does not respond';
  }
}
