import { ADMINISTRATORS, route, type Route } from '@switchyard/http';
import { applyRoleDefinitions, readRoleDefinitions, storedRolesCount } from '@switchyard/identity';
import { roleChangesAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';

export const roleSyncRoute = ({ store, config, paths, logger }: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/rbac/sync',
    operation: 'roles.sync',
    permission: ADMINISTRATORS,
    summary: 'Apply the definition files on the machine of the API',
    response: { status: 200, schema: roleChangesAnswer },
    async handle({ requester }) {
      const definitions = await readRoleDefinitions(paths.roles);
      const needsAdministrator = storedRolesCount(config.rbac);
      const changes = await applyRoleDefinitions(store, definitions, { needsAdministrator });
      logger.audit('Role definitions applied.', { user: requester.user, ...changes });
      return { status: 200, body: changes };
    },
  });
