import { ApiError, ConnectionError, createClient, type Client, type ClientOptions } from '@switchyard/client';
import { tokenCache, type TokenCache } from './credentials/token-cache';
import { usageError } from './exit-codes';
import { wireLog } from './program/wire-log';
import type { Settings } from './settings/settings';
import type { Terminal } from './terminal';

/** Credentials that were given to one command. */
export interface GivenCredentials {
  token?: string | undefined;
  apiKey?: string | undefined;
}

/** A client that acts as the user, and what to do when the server refuses it. */
export interface Session {
  readonly client: Client;
  /** Forgets a remembered token; says what the user can do. */
  refused(): string;
}

/** A client without credentials, for logging in. */
export const openClient = (terminal: Terminal, settings: Settings, credentials: GivenCredentials = {}): Client =>
  createClient(clientOptions(terminal, settings, credentials));

export const cacheOf = (terminal: Terminal, settings: Settings): TokenCache =>
  tokenCache(terminal.home, settings.authUrl, (text) => terminal.stderr.write(`WARNING: ${text}\n`));

/**
 * Credentials in the order of precedence: the command's, the environment's, the API key of the file, then a remembered
 * or a new token of the user in the file. Without any, requests go out without.
 */
export async function openSession(terminal: Terminal, settings: Settings, given: GivenCredentials): Promise<Session> {
  if (given.token !== undefined && given.apiKey !== undefined) throw usageError('Give --token or --api-key, not both.');
  const session = (credentials: GivenCredentials, refused: () => string): Session => ({
    client: openClient(terminal, settings, credentials),
    refused,
  });
  if (given.token ?? given.apiKey) return session(given, () => 'The given credential was refused.');
  const { token, apiKey, login } = settings;
  if (token !== undefined) return session({ token }, () => 'The token of the environment was refused.');
  if (apiKey !== undefined) return session({ apiKey }, () => 'The API key of the environment or file was refused.');
  const granted = login && (await rememberedOrNew(terminal, settings, login));
  if (granted === undefined) return session({}, () => 'Log in with "svc login USER", or set SVC_AUTH_TOKEN.');
  return session({ token: granted }, () => {
    cacheOf(terminal, settings).drop(login?.user ?? '');
    return `The remembered token was refused and is forgotten now. Log in with "svc login ${login?.user ?? 'USER'}".`;
  });
}

const clientOptions = (terminal: Terminal, settings: Settings, { token, apiKey }: GivenCredentials): ClientOptions => ({
  apiUrl: settings.apiUrl,
  authUrl: settings.authUrl,
  streamUrl: settings.streamUrl,
  caFile: settings.caFile,
  verifyTls: settings.verifyTls,
  basicAuth: settings.basicAuth,
  proxy: settings.proxy,
  token,
  apiKey,
  observer: settings.debug ? wireLog((line) => terminal.stderr.write(`${line}\n`)) : undefined,
});

async function rememberedOrNew(
  terminal: Terminal,
  settings: Settings,
  { user, password }: NonNullable<Settings['login']>,
): Promise<string | undefined> {
  const cache = cacheOf(terminal, settings);
  const remembered = settings.cacheToken ? cache.read(user) : undefined;
  if (remembered !== undefined || password === undefined) return remembered;
  try {
    const { token, expiry } = await openClient(terminal, settings).tokens.create({ user, password });
    if (settings.cacheToken) cache.write(user, token, new Date(expiry));
    return token;
  } catch (error) {
    if (!(error instanceof ConnectionError) && !(error instanceof ApiError)) throw error;
    terminal.stderr.write(`WARNING: Logging in as "${user}" failed: ${error.message}\n`);
    return undefined;
  }
}
