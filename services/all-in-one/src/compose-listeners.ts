import { assembleApi } from '@switchyard/api/assemble';
import { platformOf, type Assembly } from '@switchyard/assembly';
import { executionsOf } from '@switchyard/assembly/executions';
import { AUTH_PREFIXES } from '@switchyard/auth';
import { assembleAuth, assembleAuthRoutes } from '@switchyard/auth/assemble';
import type { Service } from '@switchyard/host';
import { openApiRoute, type HttpService, type Mount, type Route } from '@switchyard/http';
import { createMessageFeed, streamMounts, streamRoutes } from '@switchyard/stream';

export type ApiService = Service & Pick<HttpService, 'address'>;

/**
 * Builds the API so that its listener also serves the routes of auth and stream, as far as these run in the same process: one port is
 * enough there. The auth service shares its routes with it.
 */
export function composeListeners(
  assembly: Assembly,
  has: { readonly auth: boolean; readonly stream: boolean },
): { readonly auth?: Service; readonly api: ApiService } {
  const routes = has.auth ? assembleAuthRoutes(assembly) : undefined;
  const streams = has.stream ? mountedStreams(assembly) : undefined;
  const api = assembleApi(assembly, {
    alsoMount: [
      ...(routes ? [{ prefixes: AUTH_PREFIXES, routes: [...routes.routes, documentOf(routes.routes, assembly)] }] : []),
      ...(streams?.mounts ?? []),
    ],
  });
  return {
    ...(routes ? { auth: assembleAuth(assembly, routes) } : {}),
    api: streams ? { ...api, ...closing(api, streams.stop) } : api,
  };
}

/** The auth service serves its document on its own listener, beside its operations. */
const documentOf = (routes: readonly Route[], { about }: Assembly): Route =>
  openApiRoute({ prefixes: ['/auth/v1'], routes }, { title: 'Switchyard auth', version: about.version });

function mountedStreams(assembly: Assembly): { readonly mounts: readonly Mount[]; stop(): Promise<void> } {
  const feed = createMessageFeed(assembly.platform.bus);
  const routes = streamRoutes({ ...platformOf(assembly, 'stream'), executions: executionsOf(assembly), feed });
  return {
    mounts: streamMounts(routes),
    stop: feed.stop,
  };
}

/** Adds a cleanup to a service that runs when it stops. */
const closing = (service: Service, release: () => Promise<void>): Service => ({
  ...service,
  async stop() {
    await service.stop();
    await release();
  },
});
