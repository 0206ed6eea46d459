import { actionRunnerEntry } from '@switchyard/action-runner/assemble';
import { assembleApi } from '@switchyard/api/assemble';
import { platformOf, type Assembly } from '@switchyard/assembly';
import { executionsOf } from '@switchyard/assembly/executions';
import { assembleAuth, assembleAuthRoutes } from '@switchyard/auth/assemble';
import { garbageCollectorEntry } from '@switchyard/garbage-collector/assemble';
import type { Service } from '@switchyard/host';
import { openApiRoute, type Route } from '@switchyard/http';
import { notifierEntry } from '@switchyard/notifier/assemble';
import { rulesEngineEntry } from '@switchyard/rules-engine/assemble';
import { schedulerEntry } from '@switchyard/scheduler/assemble';
import { sensorContainerEntry } from '@switchyard/sensor-container/assemble';
import { createMessageFeed, streamRoutes } from '@switchyard/stream';
import { streamEntry } from '@switchyard/stream/assemble';
import { timersEntry } from '@switchyard/timers/assemble';
import { workflowEngineEntry } from '@switchyard/workflow-engine/assemble';

export interface Composition {
  services: Service[];
  /** Where the API listens, once it has started. */
  apiAddress(): { host: string; port: number };
}

/** The services without routes of their own. They start in this order, after auth and before the API. */
const BETWEEN = [
  streamEntry,
  notifierEntry,
  actionRunnerEntry,
  schedulerEntry,
  workflowEngineEntry,
  rulesEngineEntry,
  timersEntry,
  garbageCollectorEntry,
  sensorContainerEntry,
];

/** Builds all services of the system for one process. Starts nothing. */
export function composeServices(assembly: Assembly): Composition {
  const { platform } = assembly;
  const feed = createMessageFeed(platform.bus);
  const streams = streamRoutes({ ...platformOf(assembly, 'stream'), executions: executionsOf(assembly), feed });
  const auth = assembleAuthRoutes(assembly);
  const api = assembleApi(assembly, {
    // One port is enough for a laptop: the API's listener also serves the routes of the others.
    prefixes: ['', '/v1', '/api', '/api/v1'],
    alsoMount: [
      { prefixes: AUTH_PREFIXES, routes: [...auth.routes, documentOf(auth.routes, assembly)] },
      { prefixes: ['/stream', '/stream/v1'], routes: streams },
      // Older clients read events here.
      { prefixes: ['/api', '/api/v1'], routes: streams.filter(({ path }) => path === '/stream') },
    ],
  });
  return {
    apiAddress: api.address,
    services: [
      assembleAuth(assembly, auth),
      ...BETWEEN.map((entry) => entry.create(assembly)),
      closing(api, feed.stop),
    ],
  };
}

const AUTH_PREFIXES = ['/auth', '/auth/v1'];

/** The auth service serves its document on its own listener, beside its operations. */
const documentOf = (routes: readonly Route[], { about }: Assembly): Route =>
  openApiRoute({ prefixes: ['/auth/v1'], routes }, { title: 'Switchyard auth', version: about.version });

/** Adds a cleanup to a service that runs when it stops. */
const closing = (service: Service, release: () => Promise<void>): Service => ({
  ...service,
  async stop() {
    await service.stop();
    await release();
  },
});
