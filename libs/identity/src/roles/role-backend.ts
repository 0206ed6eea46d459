import { fault, messageOf } from '@switchyard/base';
import {
  checkGrant,
  permissionsOf,
  SYSTEM_ROLES,
  type GivenGrant,
  type RoleRecord,
  type UserPermissions,
} from '@switchyard/model';
import type { Logger } from '@switchyard/telemetry';

/** Provides the roles of users in place of the definition files. Plug-ins implement it, see docs/plugins.md. */
export interface RoleBackend {
  /** What the roles of a user permit. @throws Fault `auth.roles-unavailable` */
  permissionsOf(user: string): Promise<UserPermissions>;
  /** Whether somebody is an administrator. @throws Fault `auth.roles-unavailable` */
  hasAdministrator(): Promise<boolean>;
}

type RoleBackendLogger = Pick<Logger, 'info' | 'warn'>;
/** Creates a backend from `rbac.backend_kwargs`. @throws Fault `config.plugin` for arguments that it cannot use */
export type RoleBackendFactory = (given: Readonly<Record<string, unknown>>, logger: RoleBackendLogger) => RoleBackend;

/** The part of a plug-in that concerns roles. */
interface PluginWithRoles {
  /** Name of the package. */
  readonly name: string;
  readonly roleBackends: Readonly<Record<string, unknown>>;
}

/** Names that no plug-in can have: the backend of the product, and the one without roles. */
const RESERVED: readonly string[] = ['default', 'noop'];

/** The role backends of plug-ins, by name. @throws Fault `config.plugin` */
export function pluginRoleBackends(plugins: readonly PluginWithRoles[]): Readonly<Record<string, RoleBackendFactory>> {
  const found = new Map<string, RoleBackendFactory>();
  for (const { name: plugin, roleBackends } of plugins) {
    for (const [name, given] of Object.entries(roleBackends)) {
      if (RESERVED.includes(name) || found.has(name)) {
        const expected = 'each role backend to have a unique name';
        throw fault('config.plugin', { name: plugin, expected, actual: `"${name}" again` });
      }
      found.set(name, checkedFactory(plugin, name, given));
    }
  }
  return Object.fromEntries(found);
}

/** What a plug-in returns, unchecked. */
interface GivenBackend {
  rolesOf(user: string): unknown;
  hasAdministrator(): unknown;
}

function checkedFactory(plugin: string, name: string, given: unknown): RoleBackendFactory {
  const refuse = (expected: string, actual: string) => fault('config.plugin', { name: plugin, expected, actual });
  if (typeof given !== 'function') throw refuse(`the role backend "${name}" to be a function`, typeof given);
  const create = (...args: Parameters<RoleBackendFactory>): Partial<GivenBackend> | undefined => {
    try {
      return (given as (...args: Parameters<RoleBackendFactory>) => Partial<GivenBackend> | undefined)(...args);
    } catch (error) {
      throw refuse(`the role backend "${name}" to accept rbac.backend_kwargs`, `the error "${messageOf(error)}"`);
    }
  };
  return (...args) => {
    const backend = create(...args);
    for (const member of ['rolesOf', 'hasAdministrator'] as const) {
      if (typeof backend?.[member] === 'function') continue;
      throw refuse(`the role backend "${name}" to have a function "${member}"`, typeof backend?.[member]);
    }
    return guardedBackend(name, backend as GivenBackend);
  };
}

/** Wraps a backend so that its failures are not reported as refusals, and their messages only reach the log. */
function guardedBackend(name: string, backend: GivenBackend): RoleBackend {
  const guarded = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (cause) {
      throw fault('auth.roles-unavailable', { name }, { cause });
    }
  };
  return {
    permissionsOf: (user) => guarded(async () => permissionsOf(checkedRoles(await backend.rolesOf(user)))),
    hasAdministrator: () => guarded(async () => (await backend.hasAdministrator()) === true),
  };
}

type GivenRole = Pick<RoleRecord, 'name' | 'system'> & { readonly permission_grants: readonly GivenGrant[] };

function checkedRoles(given: unknown): GivenRole[] {
  if (!Array.isArray(given)) throw new Error('rolesOf did not return a list');
  return given.map((role: unknown, index) => {
    const { name, permission_grants: grants = [] } = (role ?? {}) as Partial<GivenRole>;
    if (typeof name !== 'string' || name === '')
      throw new Error(`rolesOf returned a role without a name: item ${index}`);
    if (!Array.isArray(grants)) throw new Error(`the permission_grants of the role "${name}" are not a list`);
    for (const grant of grants as unknown[]) checkGivenGrant(name, grant);
    const system = (SYSTEM_ROLES as readonly string[]).includes(name);
    return { name, system, permission_grants: grants as GivenGrant[] };
  });
}

function checkGivenGrant(role: string, grant: unknown): void {
  const { permission_types: types, resource_uid: uid } = (grant ?? {}) as Partial<GivenGrant>;
  const isTyped =
    Array.isArray(types) &&
    types.every((type) => typeof type === 'string') &&
    ['undefined', 'string'].includes(typeof uid);
  if (!isTyped)
    throw new Error(`a grant of the role "${role}" has no permission_types, or a resource_uid that is not a string`);
  const [problem] = checkGrant(grant as GivenGrant);
  if (problem) throw new Error(`a grant of the role "${role}" is invalid: ${problem.text}`);
}
