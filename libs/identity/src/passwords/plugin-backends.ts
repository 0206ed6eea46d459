import { fault, messageOf } from '@switchyard/base';
import {
  passwordBackends,
  type PasswordBackend,
  type PasswordBackendFactory,
  type PasswordBackends,
} from './password-backend';

/** The part of a plug-in that concerns authentication. */
interface PluginWithBackends {
  /** Name of the package. */
  readonly name: string;
  readonly authBackends: Readonly<Record<string, unknown>>;
}

/** The authentication backends of plug-ins, by name. @throws Fault `config.plugin` */
export function pluginBackends(plugins: readonly PluginWithBackends[]): PasswordBackends {
  const found = new Map<string, PasswordBackendFactory>();
  for (const { name: plugin, authBackends } of plugins) {
    for (const [name, given] of Object.entries(authBackends)) {
      if (Object.hasOwn(passwordBackends, name) || found.has(name)) {
        const expected = 'each authentication backend to have a unique name';
        throw fault('config.plugin', { name: plugin, expected, actual: `"${name}" again` });
      }
      found.set(name, checkedFactory(plugin, name, given));
    }
  }
  return Object.fromEntries(found);
}

function checkedFactory(plugin: string, name: string, given: unknown): PasswordBackendFactory {
  const refuse = (expected: string, actual: string) => fault('config.plugin', { name: plugin, expected, actual });
  if (typeof given !== 'function') throw refuse(`the backend "${name}" to be a function`, typeof given);
  const create = (...[kwargs, logger]: Parameters<PasswordBackendFactory>): unknown => {
    try {
      return (given as PasswordBackendFactory)(kwargs, logger);
    } catch (error) {
      throw refuse(`the backend "${name}" to accept auth.backend_kwargs`, `the error "${messageOf(error)}"`);
    }
  };
  return (kwargs, logger) => {
    const backend = create(kwargs, logger) as Partial<PasswordBackend> | undefined;
    if (typeof backend?.authenticate !== 'function') {
      throw refuse(`the backend "${name}" to have a function "authenticate"`, typeof backend?.authenticate);
    }
    if (!['undefined', 'function'].includes(typeof backend.groupsOf)) {
      throw refuse(`the backend "${name}" to have a function "groupsOf" or none`, typeof backend.groupsOf);
    }
    return guardedBackend(name, backend as PasswordBackend);
  };
}

/** Wraps a backend so that its failures are reported as unavailability, and their messages only reach the log. */
function guardedBackend(name: string, backend: PasswordBackend): PasswordBackend {
  const guarded = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (cause) {
      throw fault('auth.backend-unavailable', { name }, { cause });
    }
  };
  return {
    authenticate: (user, password) => guarded(async () => (await backend.authenticate(user, password)) === true),
    ...(backend.groupsOf && {
      groupsOf: (user: string) => guarded(async () => checkedGroups(await backend.groupsOf?.(user))),
    }),
    close: async () => backend.close?.(),
  };
}

function checkedGroups(given: unknown): readonly string[] {
  if (Array.isArray(given) && given.every((group) => typeof group === 'string')) return given;
  throw new Error('groupsOf did not return a list of strings');
}
