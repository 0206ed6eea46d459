import type { Clock } from '@switchyard/base';
import { addresses, type Config } from '@switchyard/config';
import {
  createHttpApp,
  createHttpService,
  healthRoutes,
  httpSettings,
  indexRoute,
  knownCallers,
  openApiRoute,
  serviceMetrics,
  type About,
  type HttpService,
  type Route,
} from '@switchyard/http';
import { createPasswordBackend, createPasswordLogin, type Identities } from '@switchyard/identity';
import type { Service } from '@switchyard/host';
import type { Store } from '@switchyard/storage';
import type { Logger, ProcessMetrics } from '@switchyard/telemetry';
import { authRoutes } from './auth-routes';
import { checkAuthConfig } from './check-auth-config';

export interface AuthServiceDependencies {
  readonly config: Config;
  readonly identities: Identities;
  readonly store: Pick<Store, 'ping'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly about: About;
  /** Without them nothing is measured. */
  readonly metrics?: ProcessMetrics;
  /** Routes that another listener of the process offers as well; made from the configuration when absent. */
  readonly auth?: AuthRoutes;
}

/** The operations of the auth service, and what to call when they are no longer needed. */
export interface AuthRoutes {
  readonly routes: Route[];
  readonly close: () => Promise<void>;
}

const PREFIXES = ['', '/v1'];

/** Hands out tokens for passwords, on a listener of its own. @throws Fault `config.conflict` */
export function createAuthService(deps: AuthServiceDependencies): Service & Pick<HttpService, 'address'> {
  const { config, identities, logger, store } = deps;
  const { routes, close } = deps.auth ?? createAuthRoutes(deps);
  const settings = httpSettings(config);
  const documented = [indexRoute(deps.about), ...routes];
  const info = { title: 'Switchyard auth', version: deps.about.version };
  const measured = serviceMetrics('auth', deps.metrics);
  const app = createHttpApp({
    prefixes: PREFIXES,
    routes: [...documented, openApiRoute({ prefixes: PREFIXES, routes: documented }, info)],
    alsoMount: [{ prefixes: [''], routes: [...healthRoutes(() => service.health()), ...measured.routes] }],
    authenticate: identities.authenticate,
    access: identities.access,
    logger,
    settings,
    observe: measured.observe,
  });
  const { host, port, use_ssl: tls, cert, key } = config.auth;
  const service = createHttpService({
    name: 'auth',
    host,
    port,
    app,
    logger,
    ...(tls ? { tls: { certFile: cert as string, keyFile: key as string } } : {}),
    checks: async () => ({ store: await answers(store) }),
  });
  void service.finished.then(close, close);
  return service;
}

/** The routes alone, for an all-in-one, with the password backend of the configuration. @throws Fault `config.conflict` */
export function createAuthRoutes({
  config,
  identities,
  clock,
  logger,
}: Omit<AuthServiceDependencies, 'about' | 'store'>): AuthRoutes {
  checkAuthConfig(config.auth);
  const { backend: name, backend_kwargs: given } = config.auth;
  const backend = createPasswordBackend(name, given, logger);
  const login = createPasswordLogin(backend, clock);
  const routes = authRoutes({
    identities,
    login,
    logger,
    apiUrl: addresses(config).api,
    maxBodyBytes: config.limits.max_token_body_bytes,
    knownCallers: knownCallers(config),
  });
  return {
    routes,
    close: async () => {
      await backend.close?.();
    },
  };
}

async function answers(store: Pick<Store, 'ping'>): Promise<string> {
  try {
    await store.ping();
    return 'ok';
  } catch {
    return 'does not answer';
  }
}
