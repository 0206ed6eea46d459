import { createActionRunner, type RunSettings } from '@switchyard/action-runner';
import { createApiService } from '@switchyard/api';
import { createAuthRoutes, createAuthService } from '@switchyard/auth';
import { addresses } from '@switchyard/config';
import { createExecutions } from '@switchyard/executions';
import { withHealthServer, type Platform, type Service } from '@switchyard/host';
import type { About } from '@switchyard/http';
import { createIdentities, type Identities } from '@switchyard/identity';
import { createNotifier } from '@switchyard/notifier';
import { runnerRegistry, serviceEnvironment } from '@switchyard/runners';
import { createScheduler } from '@switchyard/scheduler';
import { createMessageFeed, createStreamService, streamRoutes } from '@switchyard/stream';
import { packRoots } from './shipped-packs';

export interface Composition {
  services: Service[];
  identities: Identities;
  /** Where the API listens, once it has started. */
  apiAddress(): { host: string; port: number };
}

/** All services of the system, over one platform. Builds them; nothing is started. */
export function composeServices(platform: Platform, about: About, environment: NodeJS.ProcessEnv): Composition {
  const { config, store, bus, sealer, clock, logger, paths } = platform;
  const named = (service: string) => ({ ...platform, logger: logger.child({ service }) });
  const identities = createIdentities({ store, clock, config });
  const executions = createExecutions({
    store,
    sealer,
    clock,
    logger,
    publisher: bus.publisher(),
    webUrl: addresses(config).webConsole,
  });
  const runners = runnerRegistry();
  const roots = packRoots(paths);
  const authenticate = identities.authenticateIfEnabled;
  const settings: RunSettings = {
    systemUser: config.system_user.user,
    maxOutputBytes: config.actionrunner.max_output_bytes,
    streamOutput: config.actionrunner.stream_output,
    environment: serviceEnvironment(environment),
    apiUrl: addresses(config).api,
    serviceTokenTtlSeconds: config.auth.service_token_ttl,
    packDirectories: roots,
  };
  const withHealth = (service: Service, port: number) => withHealthServer(service, config.api.host, port);
  const feed = createMessageFeed(bus);
  const streams = streamRoutes({ ...named('stream'), executions, feed });
  const auth = createAuthRoutes({ config, identities, clock, logger });
  const api = createApiService({
    ...named('api'),
    about,
    executions,
    identities,
    runners,
    packRoots: roots,
    // One port is enough for a laptop: the API's listener answers for the others as well.
    prefixes: ['', '/v1', '/api', '/api/v1'],
    alsoMount: [
      { prefixes: ['/auth', '/auth/v1'], routes: auth.routes },
      { prefixes: ['/stream', '/stream/v1'], routes: streams },
      // Where older clients look for events.
      { prefixes: ['/api', '/api/v1'], routes: streams.filter(({ path }) => path === '/stream') },
    ],
  });
  return {
    identities,
    apiAddress: api.address,
    services: [
      createAuthService({ ...named('auth'), identities, about, auth }),
      createStreamService({ ...named('stream'), executions, authenticate }),
      withHealth(createNotifier({ ...named('notifier'), executions }), config.notifier.health_port),
      withHealth(
        createActionRunner({ ...named('action-runner'), executions, tokens: identities.tokens, runners, settings }),
        config.actionrunner.health_port,
      ),
      withHealth(createScheduler({ ...named('scheduler'), executions }), config.scheduler.health_port),
      closing(api, feed.stop),
    ],
  };
}

/** A service that lets go of something more when it stops. */
const closing = (service: Service, release: () => Promise<void>): Service => ({
  ...service,
  async stop() {
    await service.stop();
    await release();
  },
});
