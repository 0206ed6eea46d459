import { fault } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';
import { createFlatFileBackend } from './flat-file-backend';

/** Checks passwords for standalone mode. Creating one does no I/O. Plug-ins implement this too, see docs/plugins.md. */
export interface PasswordBackend {
  /** True only for the right password of a known user. Rejects when the backend cannot answer. */
  authenticate(user: string, password: string): Promise<boolean>;
  /** Names of the user's groups, if the backend has groups. Rejects when it cannot tell. */
  groupsOf?(user: string): Promise<readonly string[]>;
  /** Releases resources. */
  close?(): Promise<void>;
}

type Arguments = Readonly<Record<string, unknown>>;
/** Creates a backend from `auth.backend_kwargs`. @throws for arguments that it cannot use */
export type PasswordBackendFactory = (given: Arguments, logger: Pick<Logger, 'warn'>) => PasswordBackend;
/** Factories by the name that `auth.backend` may have. */
export type PasswordBackends = Readonly<Record<string, PasswordBackendFactory>>;

/** The backends of the product. */
export const passwordBackends: PasswordBackends = {
  flat_file: ({ file_path: path }, logger) => {
    if (typeof path !== 'string' || path === '') {
      throw fault('config.conflict', { text: 'auth.backend_kwargs of the backend flat_file needs a "file_path"' });
    }
    return createFlatFileBackend({ path, logger });
  },
};

/**
 * Creates the backend named by `auth.backend` with the arguments `auth.backend_kwargs`.
 * @param added backends of plug-ins
 * @throws Fault `config.conflict` for an unknown name or missing arguments
 */
export function createPasswordBackend(
  name: string,
  given: Arguments | null,
  logger: Pick<Logger, 'warn'>,
  added: PasswordBackends = {},
): PasswordBackend {
  const factories = { ...added, ...passwordBackends };
  const factory = Object.hasOwn(factories, name) ? factories[name] : undefined;
  if (!factory) {
    const known = Object.keys(factories).join(', ');
    throw fault('config.conflict', { text: `auth.backend is "${name}", known backends are: ${known}` });
  }
  return factory(given ?? {}, logger);
}
