import { route, type Route, type RouteRequest } from '@switchyard/http';
import { toReference, toUid } from '@switchyard/model';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';

/** Actions install and remove packs; these routes start them. */
export const packInstallationRoutes = (deps: ApiDependencies): Route[] => [installPacks(deps), uninstallPacks(deps)];

const installBody = Type.Object(
  {
    packs: Type.Array(Type.String(), {
      description: 'Names in the index, owner/repository or addresses; each may end in =version',
      secret: true,
    }),
    force: Type.Optional(Type.Boolean({ default: false })),
    skip_dependencies: Type.Optional(Type.Boolean({ default: false })),
  },
  { title: 'PackInstallation' },
);

const uninstallBody = Type.Object(
  { packs: Type.Array(Type.String(), { description: 'References' }) },
  { title: 'PackUninstallation' },
);

const response = {
  status: 202,
  schema: Type.Object({ execution_id: Type.String() }, { title: 'StartedExecution' }),
} as const;

const installPacks = (deps: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/packs/install',
    operation: 'packs.install',
    summary: 'Install packs and their dependencies: starts packs.install',
    permission: 'pack_install',
    body: installBody,
    response,
    handle(request) {
      const { packs, force = false, skip_dependencies = false } = request.body;
      return started(deps, request, 'install', { packs, force, skip_dependencies });
    },
  });

const uninstallPacks = (deps: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/packs/uninstall',
    operation: 'packs.uninstall',
    summary: 'Remove packs, everything that they registered, and their files: starts packs.uninstall',
    permission: 'pack_uninstall',
    resource: ({ body }) => body.packs.map((pack) => ({ uid: toUid('pack', pack) })),
    body: uninstallBody,
    response,
    handle(request) {
      const { packs } = request.body;
      return started(deps, request, 'uninstall', { packs });
    },
  });

async function started(
  { executions, identities, logger }: ApiDependencies,
  { requester }: Pick<RouteRequest, 'requester'>,
  name: 'install' | 'uninstall',
  parameters: Record<string, unknown>,
) {
  const { user, boundRole: role } = requester;
  const action = toReference('packs', name);
  await identities.access.authorise(requester, 'action_execute', toUid('action', 'packs', name));
  const { _id: id } = await executions.request({ action, parameters, user, role, context: {} });
  logger.audit('Execution requested.', { execution_id: id, action, user, requester: user });
  return { status: 202, body: { execution_id: id } };
}
