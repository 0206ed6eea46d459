import { fault } from '@switchyard/base';
import { paths, type Config } from '@switchyard/config';
import { pluginRoleBackends, prepareRoles, type RoleBackend } from '@switchyard/identity';
import type { Logger } from '@switchyard/telemetry';
import { part } from './assembly';
import { loadPlugins } from './plugins';

/**
 * The plug-in that provides the roles of users; undefined if stored roles are used, or none.
 * @throws Fault `config.conflict` for a `rbac.backend` that no installed package provides, and `config.plugin`
 */
export function createRoleBackend(config: Config, logger: Logger): RoleBackend | undefined {
  const { enable, backend: name, backend_kwargs: given } = config.rbac;
  if (!enable || name === 'default') return undefined;
  const backends = pluginRoleBackends(loadPlugins(config.plugins.packages, paths(config).plugins));
  const create = Object.hasOwn(backends, name) ? backends[name] : undefined;
  if (create) return create(given ?? {}, logger);
  const known = ['default', ...Object.keys(backends)].join(', ');
  throw fault('config.conflict', {
    text: `rbac.backend = ${name} is not available: no installed package provides it. Known backends are: ${known}`,
  });
}

export const roleBackendOf = part(({ platform: { config, logger } }) => createRoleBackend(config, logger));

/**
 * Prepares the roles before a service of this process checks permissions.
 * @throws Fault `auth.no-administrator`, and `config.conflict` for a `rbac.backend` that does not exist
 */
export const preparedRoles = part(async (assembly): Promise<void> => {
  const { store, config, paths: where, logger } = assembly.platform;
  const roles = roleBackendOf(assembly);
  const backend = roles && { name: config.rbac.backend, roles };
  await prepareRoles({ store, enable: config.rbac.enable, directory: where.roles, backend, logger });
});
