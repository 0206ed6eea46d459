import { createAuthRoutes } from '@switchyard/auth';
import type { Service } from '@switchyard/host';
import { openApiRoute, type Route } from '@switchyard/http';
import { createMessageFeed, streamRoutes } from '@switchyard/stream';
import { apiService, authService, platformOf, serviceFactories, type Parts } from './service-factories';

export interface Composition {
  services: Service[];
  /** Where the API listens, once it has started. */
  apiAddress(): { host: string; port: number };
}

/** All services of the system over one platform. Builds them; nothing is started. */
export function composeServices(parts: Parts): Composition {
  const { platform, identities, executions } = parts;
  const feed = createMessageFeed(platform.bus);
  const streams = streamRoutes({ ...platformOf(parts, 'stream'), executions, feed });
  const auth = createAuthRoutes({ ...platformOf(parts, 'auth'), identities });
  const api = apiService(parts, {
    // One port is enough for a laptop: the API's listener answers for the others as well.
    prefixes: ['', '/v1', '/api', '/api/v1'],
    alsoMount: [
      { prefixes: AUTH_PREFIXES, routes: [...auth.routes, documentOf(auth.routes, parts)] },
      { prefixes: ['/stream', '/stream/v1'], routes: streams },
      // Where older clients look for events.
      { prefixes: ['/api', '/api/v1'], routes: streams.filter(({ path }) => path === '/stream') },
    ],
  });
  return {
    apiAddress: api.address,
    services: [
      authService(parts, auth),
      serviceFactories.stream(parts),
      serviceFactories.notifier(parts),
      serviceFactories['action-runner'](parts),
      serviceFactories.scheduler(parts),
      serviceFactories['workflow-engine'](parts),
      serviceFactories['rules-engine'](parts),
      serviceFactories.timers(parts),
      serviceFactories['garbage-collector'](parts),
      serviceFactories['sensor-container'](parts),
      closing(api, feed.stop),
    ],
  };
}

const AUTH_PREFIXES = ['/auth', '/auth/v1'];

/** Where the auth service has its document on its own listener: beside its operations. */
const documentOf = (routes: readonly Route[], { about }: Parts): Route =>
  openApiRoute({ prefixes: ['/auth/v1'], routes }, { title: 'Switchyard auth', version: about.version });

/** A service that lets go of something more when it stops. */
const closing = (service: Service, release: () => Promise<void>): Service => ({
  ...service,
  async stop() {
    await service.stop();
    await release();
  },
});
