import { fault, type Clock } from '@switchyard/base';
import { addresses, type Config } from '@switchyard/config';
import type { Service } from '@switchyard/host';
import {
  createHttpApp,
  createHttpService,
  healthRoutes,
  indexRoute,
  knownCallers,
  openApiRoute,
  serverSettings,
  serviceMetrics,
  type About,
  type HttpService,
  type Route,
} from '@switchyard/http';
import {
  createPasswordBackend,
  createPasswordLogin,
  followingGroups,
  type Identities,
  type PasswordBackends,
} from '@switchyard/identity';
import type { Store } from '@switchyard/storage';
import type { Logger, ProcessMetrics } from '@switchyard/telemetry';
import { ssoRoutes } from './routes/sso-routes';
import { tokenRoutes, type TokenRoutesDependencies } from './routes/token-routes';

export interface AuthServiceDependencies {
  readonly config: Config;
  readonly identities: Identities;
  readonly store: Pick<Store, 'ping' | 'roleAssignments' | 'groupMappings'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly about: About;
  /** Authentication backends of plug-ins. */
  readonly backends?: PasswordBackends;
  /** Nothing is measured when absent. */
  readonly metrics?: ProcessMetrics;
  /** Routes that another listener of the process serves as well. Default: created from the configuration. */
  readonly auth?: AuthRoutes;
}

/** The routes of the auth service, and a function that releases what they use. */
export interface AuthRoutes {
  readonly routes: Route[];
  readonly close: () => Promise<void>;
}

const PREFIXES = ['', '/v1'];

/** Issues tokens for passwords, on a listener of its own. @throws Fault `config.conflict` */
export function createAuthService(deps: AuthServiceDependencies): Service & Pick<HttpService, 'address'> {
  const { config, identities, logger, store } = deps;
  const { routes, close } = deps.auth ?? createAuthRoutes(deps);
  const settings = serverSettings(config);
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

/** The routes alone, for an all-in-one, with the configured password backend. @throws Fault `config.conflict` */
export function createAuthRoutes({
  config,
  identities,
  clock,
  logger,
  backends,
  store,
}: Omit<AuthServiceDependencies, 'about'>): AuthRoutes {
  checkAuthConfig(config.auth);
  const { backend: name, backend_kwargs: given } = config.auth;
  const checking = createPasswordBackend(name, given, logger, backends);
  const { enable, sync_remote_groups: follows } = config.rbac;
  const backend = enable && follows ? followingGroups(name, checking, { store, logger }) : checking;
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

/** The routes of the auth service, for its own listener and for that of an all-in-one (under `/auth/v1`). */
export const authRoutes = (deps: TokenRoutesDependencies): Route[] => [...tokenRoutes(deps), ...ssoRoutes()];

/**
 * Refuses to start with an unsafe configuration. In proxy mode the user's name comes in a header, which anybody who
 * reaches the port could send. There is no list of trusted proxies yet, so proxy mode is not allowed.
 * @throws Fault `config.conflict`
 */
export function checkAuthConfig({ mode, sso, use_ssl: tls, cert, key }: Config['auth']): void {
  if (mode === 'proxy') {
    throw fault('config.conflict', { text: 'auth.mode = proxy is not available: no proxy is known to be trusted' });
  }
  if (sso) throw fault('config.conflict', { text: 'auth.sso = true is not available: there is no backend for it' });
  if (tls && (!cert || !key)) throw fault('config.conflict', { text: 'auth.use_ssl needs auth.cert and auth.key' });
}
