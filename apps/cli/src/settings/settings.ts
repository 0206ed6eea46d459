import { existsSync } from 'node:fs';
import type { ClientCredentials, ClientProxy } from '@switchyard/client';
import { usageError } from '../exit-codes';
import { readCliConfigFile, type ConfigFile } from './config-file';
import { environmentValue, sharedValue, type CommandEnvironment } from '../terminal';

/** Options that are allowed before and after any command. */
export interface GlobalOptions {
  url?: string;
  apiUrl?: string;
  authUrl?: string;
  streamUrl?: string;
  apiVersion?: string;
  cacert?: string;
  basicAuth?: string;
  configFile?: string;
  skipConfig?: boolean;
  printConfig?: boolean;
  debug?: boolean;
}

export interface Settings {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly streamUrl: string;
  readonly caFile: string | undefined;
  readonly verifyTls: boolean;
  readonly basicAuth: ClientCredentials | undefined;
  readonly proxy: ClientProxy;
  readonly token: string | undefined;
  /** Where an API key was found, which commands refuse. */
  readonly apiKey: { readonly from: string } | undefined;
  readonly login: { readonly user: string; readonly password: string | undefined } | undefined;
  readonly cacheToken: boolean;
  readonly timezone: string;
  readonly configPath: string;
  readonly debug: boolean;
}

const DEFAULT_BASE = 'http://127.0.0.1';

/** The settings by precedence: the command line, the environment, the file, the defaults. */
export function readSettings(
  { env, home }: { env: CommandEnvironment; home: string },
  options: GlobalOptions,
  file: ConfigFile = readCliConfigFile({ env, home }, { file: options.configFile, skip: options.skipConfig }),
): Settings {
  const stated = (section: string, key: string): string | undefined => file.sections[section]?.[key] || undefined;
  const choose = (option: string | undefined, variable: string, section: string, key: string): string | undefined =>
    option ?? environmentValue(env, variable) ?? stated(section, key);
  const base = withoutSlash(choose(options.url, 'BASE_URL', 'general', 'base_url') ?? DEFAULT_BASE);
  const version = choose(options.apiVersion, 'API_VERSION', 'general', 'api_version') ?? 'v1';
  const address = (text: string | undefined, otherwise: string) => checkedUrl(withoutSlash(text ?? otherwise));
  const basicAuth = choose(options.basicAuth, 'BASIC_AUTH', 'credentials', 'basic_auth');
  const user = stated('credentials', 'username');
  return {
    apiUrl: address(choose(options.apiUrl, 'API_URL', 'api', 'url'), `${base}:9101/${version}`),
    authUrl: address(choose(options.authUrl, 'AUTH_URL', 'auth', 'url'), `${base}:9100`),
    streamUrl: address(choose(options.streamUrl, 'STREAM_URL', 'stream', 'url'), `${base}:9102/${version}`),
    ...trust(choose(options.cacert, 'CACERT', 'general', 'cacert')),
    basicAuth: basicAuth === undefined ? undefined : basicCredentials(basicAuth),
    proxy: {
      http: sharedValue(env, 'http_proxy'),
      https: sharedValue(env, 'https_proxy'),
      bypass: sharedValue(env, 'no_proxy'),
    },
    token: environmentValue(env, 'AUTH_TOKEN'),
    apiKey: keySource(environmentValue(env, 'API_KEY'), stated('credentials', 'api_key')),
    login: user === undefined ? undefined : { user, password: stated('credentials', 'password') },
    cacheToken: truth(stated('cli', 'cache_token'), true),
    timezone: checkedTimezone(stated('cli', 'timezone') ?? 'UTC'),
    configPath: file.path,
    debug: options.debug ?? false,
  };
}

function keySource(inEnvironment: string | undefined, inFile: string | undefined): Settings['apiKey'] {
  if (inEnvironment) return { from: 'the variable SVC_API_KEY or ST2_API_KEY' };
  return inFile ? { from: 'the option api_key in the configuration file' } : undefined;
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

function checkedUrl(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw usageError(`"${url}" is not a valid address. Expected something like http://127.0.0.1:9101/v1.`);
}

/** A path to certificates, or a word: true trusts those of the system, false trusts any certificate. */
function trust(cacert: string | undefined): Pick<Settings, 'caFile' | 'verifyTls'> {
  const word = cacert?.toLowerCase();
  if (cacert === undefined || (word !== undefined && TRUE.includes(word)))
    return { caFile: undefined, verifyTls: true };
  if (word !== undefined && FALSE.includes(word)) return { caFile: undefined, verifyTls: false };
  if (!existsSync(cacert)) throw usageError(`The certificate file ${cacert} does not exist.`);
  return { caFile: cacert, verifyTls: true };
}

function basicCredentials(text: string): ClientCredentials {
  const colon = text.indexOf(':');
  if (colon < 1) throw usageError('Expected basic credentials as user:password.');
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

const TRUE: readonly string[] = ['true', '1', 't', 'y', 'yes', 'on'];
const FALSE: readonly string[] = ['false', '0', 'f', 'n', 'no', 'off'];

function truth(text: string | undefined, otherwise: boolean): boolean {
  const word = (text ?? '').toLowerCase();
  return TRUE.includes(word) || (otherwise && !FALSE.includes(word));
}

function checkedTimezone(timezone: string): string {
  // Loading the time zones takes a while, which the default does not need.
  if (timezone === 'UTC') return timezone;
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return timezone;
  } catch {
    throw usageError(`The time zone "${timezone}" is unknown. Expected a name such as UTC or Europe/Berlin.`);
  }
}
