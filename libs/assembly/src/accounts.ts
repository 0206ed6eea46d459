import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fault, isFault } from '@switchyard/base';
import { paths, type Config, type Paths } from '@switchyard/config';
import {
  DEFAULT_ACCOUNT,
  WELL_KNOWN_ACCOUNTS,
  createPasswordBackend,
  hashPassword,
  pluginBackends,
  type PasswordBackends,
} from '@switchyard/identity';
import type { Logger } from '@switchyard/telemetry';
import { loadPlugins } from './plugins';

/**
 * Where users come from. Without a configured backend, a password file with the default account is created once; a file
 * that a user has configured is never written. In proxy mode there are no passwords.
 */
export async function withAccounts(config: Config, { base }: Paths): Promise<Config> {
  if (!usesDefaultFile(config)) return config;
  const path = defaultPasswordFile(base);
  // A hash takes a tenth of a second of processor time.
  if (!existsSync(path)) await writeDefaultAccount(path);
  return withPasswordFile(config, { file_path: path });
}

const usesDefaultFile = ({ auth: { mode, backend, backend_kwargs: given } }: Config): boolean =>
  mode !== 'proxy' && backend === 'flat_file' && given === null;

const withPasswordFile = (config: Config, settings: NonNullable<Config['auth']['backend_kwargs']>): Config => ({
  ...config,
  auth: { ...config.auth, backend_kwargs: settings },
});

/** The password file if none is configured. @param base the data directory */
export const defaultPasswordFile = (base: string): string => join(base, 'htpasswd');

async function writeDefaultAccount(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const line = `${DEFAULT_ACCOUNT.user}:${await hashPassword(DEFAULT_ACCOUNT.password)}\n`;
  // Another process may have written it in the meantime.
  await writeFile(path, line, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/**
 * The configuration of a process that issues tokens, with its accounts.
 * @param listeners the sections of the listeners at which it can be reached
 * @throws Fault `config.conflict` when clients on other machines could log in with a well-known password, or without
 * one
 */
export async function guardedAccounts(
  given: Config,
  logger: Logger,
  listeners: readonly ('auth' | 'api' | 'stream')[] = ['auth'],
): Promise<Config> {
  const config = await withAccounts(given, paths(given));
  const places = listeners.map((section) => config[section]);
  refuseOpenDoor(places, config, await openAccount(config, logger));
  return config;
}

/**
 * The checks of `guardedAccounts` for the listener of the auth service, without writing a file or asking a server.
 * @returns the configuration with the accounts
 * @throws Fault `config.conflict`
 */
export async function checkAccounts(given: Config, logger: Logger): Promise<Config> {
  const path = defaultPasswordFile(paths(given).base);
  const config = usesDefaultFile(given) ? withPasswordFile(given, { file_path: path }) : given;
  if (!LOOPBACK.test(config.auth.host)) refuseOpenDoor([config.auth], config, await openAccountInFile(config, logger));
  return config;
}

/** The account with a well-known password in the password file, which the start would create if there is none. */
async function openAccountInFile(config: Config, logger: Logger): Promise<string | undefined> {
  const { mode, backend, backend_kwargs: given } = config.auth;
  if (mode === 'proxy' || backend !== 'flat_file') return undefined;
  if (given?.['file_path'] === defaultPasswordFile(paths(config).base) && !existsSync(given['file_path']))
    return DEFAULT_ACCOUNT.user;
  return openAccount(withPasswordFile(config, { ...given, upgrade_hashes: false }), logger);
}

/** The authentication backends of plug-ins. @throws Fault `config.plugin` */
export const addedBackends = (config: Config): PasswordBackends =>
  pluginBackends(loadPlugins(config.plugins.packages, paths(config).plugins));

/** @returns the account with a well-known password that can log in, if there is one */
export async function openAccount(config: Config, logger: Logger): Promise<string | undefined> {
  if (config.auth.mode === 'proxy') return undefined;
  const backend = createPasswordBackend(config.auth.backend, config.auth.backend_kwargs, logger, addedBackends(config));
  try {
    // In parallel, because PAM delays the response to a wrong password.
    const open = await Promise.all(WELL_KNOWN_ACCOUNTS.map((each) => backend.authenticate(each.user, each.password)));
    return WELL_KNOWN_ACCOUNTS.find((_, index) => open[index])?.user;
  } catch (error) {
    // A remote backend may be down for a while. Logins fail until it is back.
    if (!isFault(error) || error.code !== 'auth.backend-unavailable') throw error;
    logger.warn('Could not check whether a default account can log in.', { backend: config.auth.backend, error });
    return undefined;
  } finally {
    await backend.close?.();
  }
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|::1|\[::1\])$/;

/** @throws Fault `config.conflict` when clients on other machines could log in with a well-known password, or without
 * one */
export function refuseOpenDoor(
  listeners: readonly { host: string }[],
  config: Config,
  account: string | undefined,
): void {
  const open = listeners.find(({ host }) => !LOOPBACK.test(host));
  if (!open || (account === undefined && config.auth.enable)) return;
  const reason = config.auth.enable
    ? `the account "${account ?? ''}" has its default password. Change it in the password file first`
    : 'auth.enable is off, so everybody with access to it could run commands. Turn it on first';
  throw fault('config.conflict', {
    text: `refusing to listen on ${open.host}, which is reachable from other machines: ${reason}`,
  });
}
