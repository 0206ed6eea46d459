import {
  ApiError,
  ConnectionError,
  createClient,
  type Client,
  type ClientOptions,
  type Observer,
} from '@switchyard/client';
import { usageError } from '../exit-codes';
import type { Settings } from '../settings/settings';
import type { Terminal } from '../terminal';
import { tokenCache, type TokenCache } from './token-cache';

/** Credentials from the options of one command. */
export interface GivenCredentials {
  token?: string | undefined;
  apiKey?: string | undefined;
}

/** A client with the credentials of the user. */
export interface Session {
  readonly client: Client;
  /** Called when the server rejects the credentials. Forgets a remembered token and returns what the user can do. */
  refused(): string;
}

/** A client with this token, or without a token for logging in. */
export const openClient = (terminal: Terminal, settings: Settings, token?: string): Client =>
  createClient(clientOptions(terminal, settings, token));

export const cacheOf = (terminal: Terminal, settings: Settings): TokenCache =>
  tokenCache(terminal.home, settings.authUrl, (text) => terminal.stderr.write(`WARNING: ${text}\n`));

/**
 * Chooses a token by precedence: the option, the environment, then a remembered or new one of the user in the file. Without
 * any of them, requests carry no credentials. An API key is a credential of other programs: instead of using one, this fails.
 */
export async function openSession(terminal: Terminal, settings: Settings, given: GivenCredentials): Promise<Session> {
  if (given.apiKey !== undefined) throw keyRefused('the option --api-key');
  const session = (own: string | undefined, refused: () => string): Session => ({
    client: openClient(terminal, settings, own),
    refused,
  });
  if (given.token !== undefined) return session(given.token, () => 'The server rejected the given token.');
  const { token, apiKey, login } = settings;
  if (token !== undefined) return session(token, () => 'The server rejected the token from the environment.');
  if (apiKey !== undefined) throw keyRefused(apiKey.from);
  const granted = login && (await rememberedOrNew(terminal, settings, login));
  if (granted === undefined) return session(undefined, () => 'Log in with "svc login USER", or set SVC_AUTH_TOKEN.');
  return session(granted, () => {
    cacheOf(terminal, settings).drop(login?.user ?? '');
    return `The server rejected the remembered token, and svc has forgotten it. Log in with "svc login ${login?.user ?? 'USER'}".`;
  });
}

const keyRefused = (from: string) =>
  usageError(
    `svc does not use API keys, and ${from} has one. Log in with "svc login USER". Where nobody can log in, use a token in ` +
      'SVC_AUTH_TOKEN that somebody made with "svc token create --service NAME --role ROLE".',
  );

const clientOptions = (terminal: Terminal, settings: Settings, token: string | undefined): ClientOptions => ({
  apiUrl: settings.apiUrl,
  authUrl: settings.authUrl,
  streamUrl: settings.streamUrl,
  caFile: settings.caFile,
  verifyTls: settings.verifyTls,
  basicAuth: settings.basicAuth,
  proxy: settings.proxy,
  token,
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

/** What `--debug` shows for each request: a curl command that repeats it, and the response. Secrets are already masked. */
export const wireLog = (print: (line: string) => void): Observer => ({
  request({ method, url, headers, body }) {
    const parts = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
    const data = body === undefined ? [] : [`--data-binary ${quoted(JSON.stringify(body))}`];
    print(`# ${['curl', `-X ${method}`, ...parts, ...data, quoted(url)].join(' ')}`);
  },
  answer({ method, url, status, durationMs, body }) {
    print(`# ${status} in ${durationMs} ms: ${method} ${url}`);
    if (body !== undefined) print(typeof body === 'string' ? body : JSON.stringify(body));
  },
});

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
