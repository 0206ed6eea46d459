import { readFileSync } from 'node:fs';
import { fault, isPlainObject, messageOf, SECOND_MS } from '@switchyard/base';
import { pythonStr, type ParameterDefinitions } from '@switchyard/model';
import { proxyChoice } from '../http-request/proxy-choice';
import type { RunRequest } from '../runner-plugin';

/** The transports that an action may name; some of them are refused when it runs. */
const TRANSPORTS = ['basic', 'certificate', 'credssp', 'kerberos', 'ntlm', 'plaintext', 'ssl'] as const;

const HTTP_PORT = 5985;

/** Parameters of all WinRM runners. */
export const winrmParameters = {
  cwd: { type: 'string', description: 'The directory in which the command runs.' },
  env: { type: 'object', description: 'Environment variables for the command, by name.' },
  host: { type: 'string', description: 'The name or the address of the host.', required: true },
  kwarg_op: { type: 'string', description: 'Prefix of named arguments.', default: '-' },
  password: { type: 'string', description: 'The password of the user.', required: true, secret: true },
  port: {
    type: 'integer',
    description: 'Port. With 5985 the scheme is always http.',
    required: false,
    default: 5986,
  },
  scheme: { type: 'string', description: 'http or https.', required: false, default: 'https' },
  timeout: {
    type: 'integer',
    description: 'Timeout in seconds, including the time to connect.',
    default: 60,
  },
  transport: {
    type: 'string',
    description: 'Authentication method.',
    enum: [...TRANSPORTS],
    required: false,
    default: 'ntlm',
  },
  username: {
    type: 'string',
    description: 'The user on the host, also as DOMAIN\\user or user@domain.',
    required: true,
  },
  verify_ssl_cert: { type: 'boolean', description: 'Verify the certificate of the host.', default: true },
} as const satisfies ParameterDefinitions;

/** The address and credentials of a host. */
export interface WinrmTarget {
  readonly url: URL;
  readonly transport: WinrmAuthentication;
  readonly username: string;
  readonly password: string;
  readonly proxy?: URL;
  readonly tls: { readonly rejectUnauthorized?: false; readonly ca?: Buffer };
}

/** The parsed parameters. */
export interface WinrmSettings {
  readonly target: WinrmTarget;
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly kwargOp: string;
}

type Parameters = Readonly<Record<string, unknown>>;

/**
 * Reads the rendered parameters. Missing and null values get their defaults.
 * @param environment the service's environment: proxies and certificate authorities @throws Fault `winrm.…`, `runner.http-…`
 */
export function winrmSettings(parameters: Parameters, environment: Readonly<Record<string, string>>): WinrmSettings {
  const { cwd, env, kwarg_op: kwargOp, transport } = parameters;
  const url = urlOf(parameters);
  const proxy = proxyChoice({}, environment).for(url);
  return {
    target: {
      url,
      transport: transportNamed(textOr(transport, winrmParameters.transport.default), url),
      username: needed(parameters, 'username'),
      password: needed(parameters, 'password'),
      ...(proxy && { proxy }),
      tls: tlsOptions(parameters['verify_ssl_cert'] !== false, environment),
    },
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
    env: isPlainObject(env)
      ? Object.fromEntries(Object.entries(env).map(([name, value]) => [name, pythonStr(value)]))
      : {},
    kwargOp: typeof kwargOp === 'string' ? kwargOp : winrmParameters.kwarg_op.default,
  };
}

/** Node.js fires longer timers immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const timeoutSecondsOf = ({ runnerParameters: { timeout } }: RunRequest): number =>
  typeof timeout === 'number' ? Math.max(0, timeout) : winrmParameters.timeout.default;

export const timerMs = (seconds: number): number => Math.min(seconds * SECOND_MS, LONGEST_TIMER_MS);

/** A host name, an IPv4 address, or an IPv6 address with or without brackets. */
const HOST = /^(?:[^\s/\\?#@:[\]]+|\[?[0-9a-f:.]+\]?)$/i;

function urlOf(parameters: Parameters): URL {
  const host = needed(parameters, 'host').trim();
  const port = portOf(parameters);
  const scheme =
    port === HTTP_PORT ? 'http' : textOr(parameters['scheme'], winrmParameters.scheme.default).toLowerCase();
  if (scheme !== 'http' && scheme !== 'https') throw fault('winrm.scheme', { scheme });
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const url = `${scheme}://${name}:${port}/wsman`;
  if (!HOST.test(host) || !URL.canParse(url)) throw fault('winrm.host', { host });
  return new URL(url);
}

function portOf(parameters: Parameters): number {
  const port = parameters['port'] ?? winrmParameters.port.default;
  const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536;
  if (!isPort) throw fault('winrm.port', { port: pythonStr(port) });
  return port;
}

function needed(parameters: Parameters, name: 'host' | 'username' | 'password'): string {
  const value = parameters[name];
  if (typeof value !== 'string' || value === '') throw fault('winrm.missing', { name });
  return value;
}

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise;

function tlsOptions(isVerified: boolean, environment: Readonly<Record<string, string>>): WinrmTarget['tls'] {
  if (!isVerified) return { rejectUnauthorized: false };
  const path = environment['REQUESTS_CA_BUNDLE'] || environment['CURL_CA_BUNDLE'];
  if (!path) return {};
  try {
    return { ca: readFileSync(path) };
  } catch (thrown) {
    throw fault('runner.http-ca-file', { path, reason: messageOf(thrown) }, { cause: thrown });
  }
}

/** Supported authentication. The other names are aliases or unsupported. */
export type WinrmAuthentication = 'basic' | 'ntlm';

const MEANINGS: Readonly<Record<string, WinrmAuthentication>> = {
  basic: 'basic',
  ntlm: 'ntlm',
  plaintext: 'basic',
  ssl: 'basic',
};

const REASONS: Readonly<Record<string, string>> = {
  certificate: 'there is no parameter for a client certificate',
  credssp: 'delegating the password to the host is not supported',
  kerberos: 'Kerberos is not supported',
};

/** @throws Fault `winrm.transport`, `winrm.plain-ssl` */
function transportNamed(name: string, url: URL): WinrmAuthentication {
  const meaning = Object.hasOwn(MEANINGS, name) ? MEANINGS[name] : undefined;
  if (meaning === undefined) {
    const reason = (Object.hasOwn(REASONS, name) ? REASONS[name] : undefined) ?? 'there is no such transport';
    throw fault('winrm.transport', { transport: name, reason, working: Object.keys(MEANINGS).join(', ') });
  }
  if (name === 'ssl' && url.protocol !== 'https:') throw fault('winrm.plain-ssl');
  return meaning;
}
