import { fault } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';
import { flagArgument, optional, readArguments, textArgument } from './backend-arguments';
import { createFlatFileBackend } from './flat-file-backend';
import { createLdapBackend } from './ldap/ldap-backend';
import { createPamBackend } from './pam/pam-backend';

/** Checks passwords for standalone mode. Creating one connects to nothing. Plug-ins implement this too, see docs/plugins.md. */
export interface PasswordBackend {
  /** True only for the correct password of a known user. Rejects when the backend is unavailable. */
  authenticate(user: string, password: string): Promise<boolean>;
  /** Names of the user's groups, if the backend has groups. None for an unknown user. Rejects when the backend is
   * unavailable. */
  groupsOf?(user: string): Promise<readonly string[]>;
  /** Releases resources. */
  close?(): Promise<void>;
}

type Arguments = Readonly<Record<string, unknown>>;
/** Creates a backend from `auth.backend_kwargs`. @throws for arguments that it cannot use */
export type PasswordBackendFactory = (given: Arguments, logger: Pick<Logger, 'info' | 'warn'>) => PasswordBackend;
/** Factories by the name that `auth.backend` may have. */
export type PasswordBackends = Readonly<Record<string, PasswordBackendFactory>>;

/** The backends of the product. */
export const passwordBackends: PasswordBackends = {
  flat_file: (given, logger) => {
    const table = { file_path: textArgument('the path of a file'), upgrade_hashes: optional(flagArgument, true) };
    const { file_path: path, upgrade_hashes: upgradeHashes } = readArguments('flat_file', table, given);
    return createFlatFileBackend({ path, upgradeHashes, logger });
  },
  ldap: createLdapBackend,
  pam: (given, logger) => createPamBackend(given, logger),
};

/**
 * Creates the backend named by `auth.backend` with the arguments `auth.backend_kwargs`.
 * @param added backends of plug-ins
 * @throws Fault `config.conflict` for an unknown name or missing arguments
 */
export function createPasswordBackend(
  name: string,
  given: Arguments | null,
  logger: Pick<Logger, 'info' | 'warn'>,
  added: PasswordBackends = {},
): PasswordBackend {
  const factories = { ...added, ...passwordBackends };
  const factory = Object.hasOwn(factories, name) ? factories[name] : undefined;
  if (!factory) {
    const known = Object.keys(factories).join(', ');
    throw fault('config.conflict', { text: `auth.backend = ${name} is not available, the backends are: ${known}` });
  }
  return factory(given ?? {}, logger);
}
