import { fault, isPlainObject, SECOND_MS } from '@switchyard/base';
import { pythonStr } from '@switchyard/model';
import type { RunRequest } from '../runner-plugin';
import { authorization, HeaderFields } from './header-fields';
import { cookiePairs } from './cookie-jar';
import { hostRules, type HostRules } from './host-rules';
import { proxyChoice, type ProxyChoice } from './proxy-choice';
import { requestBody, type RequestBody } from './request-body';
import { encodedFields, httpUrl } from './url-text';

/** The request described by an action's parameters. */
export interface RequestSettings {
  readonly url: URL;
  readonly urlAsWritten: string;
  readonly method: string;
  /** All except `Cookie`. */
  readonly headers: HeaderFields;
  readonly cookies: readonly (readonly [string, string])[];
  readonly body?: Buffer;
  readonly followsRedirects: boolean;
  readonly verifiesCertificate: boolean;
  /** A file with certificate authorities that replace the default ones. */
  readonly caFile?: string;
  readonly proxies: ProxyChoice;
  readonly hosts: HostRules;
}

const DEFAULT_TIMEOUT_SECONDS = 60;
/** Node.js fires timers beyond this one at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Identifies requests of actions, with the StackStorm release whose interface this is. */
const USER_AGENT = 'st2/v3.9.0';

/** Milliseconds. */
export function timeoutOf({ actionParameters: { timeout } }: RunRequest): number {
  const seconds = typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT_SECONDS;
  return Math.min(Math.max(0, seconds) * SECOND_MS, LONGEST_TIMER_MS);
}

/**
 * Reads the parameters.
 * @param environment environment of the service, with proxies and certificate authorities
 * @throws Fault `runner.http-…`
 */
export function requestSettings(
  { action, runnerParameters, actionParameters, environment: ofAction }: RunRequest,
  environment: Readonly<Record<string, string>>,
): RequestSettings {
  const parameters = { ...actionParameters, ...runnerParameters };
  const urlAsWritten = pythonStr(parameters['url'] ?? '');
  const url = httpUrl(urlAsWritten);
  const given = givenHeaders(parameters['headers']);
  const body = requestBody(parameters, given.get('Content-Type'));
  const caFile = environment['REQUESTS_CA_BUNDLE'] || environment['CURL_CA_BUNDLE'];
  return {
    url: bareUrl(url, parameters['params']),
    urlAsWritten,
    method: methodOf(parameters['method'], body !== undefined),
    headers: withSpan(requestHeaders(given, body, authorization(parameters, url), action.name), ofAction),
    cookies: givenCookies(given.get('Cookie'), parameters['cookies']),
    ...(body && { body: body.bytes }),
    followsRedirects: parameters['allow_redirects'] === true,
    verifiesCertificate: parameters['verify_ssl_cert'] !== false,
    ...(caFile && { caFile }),
    proxies: proxyChoice(parameters, environment),
    hosts: hostRules(parameters['url_hosts_blacklist'], parameters['url_hosts_whitelist']),
  };
}

const DEFAULTS = [
  ['Accept', '*/*'],
  ['Accept-Encoding', 'gzip, deflate, br'],
] as const;

function methodOf(method: unknown, hasBody: boolean): string {
  if (typeof method === 'string' && method !== '') return method.toUpperCase();
  return hasBody ? 'POST' : 'GET';
}

function requestHeaders(
  given: HeaderFields,
  body: RequestBody | undefined,
  credentials: string | undefined,
  actionName: string,
): HeaderFields {
  const headers = given.without(['Cookie', 'Content-Length', 'Transfer-Encoding']);
  for (const [name, value] of DEFAULTS) if (!headers.has(name)) headers.set(name, value);
  if (body?.type && (body.type.replaces || !headers.has('Content-Type'))) headers.set('Content-Type', body.type.value);
  if (credentials !== undefined) headers.set('Authorization', credentials);
  headers.set('User-Agent', USER_AGENT);
  headers.set('X-Stanley-Action', sendable('X-Stanley-Action', actionName));
  return headers;
}

/** Servers continue the span of the run. Headers of the action win. */
function withSpan(
  headers: HeaderFields,
  { TRACEPARENT: parent, TRACESTATE: state }: RunRequest['environment'],
): HeaderFields {
  if (!parent || headers.has('traceparent')) return headers;
  headers.set('traceparent', parent);
  if (state) headers.set('tracestate', state);
  return headers;
}

/** The URL with the complete query and without credentials. */
function bareUrl(url: URL, params: unknown): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  const query = isPlainObject(params) ? encodedFields(Object.entries(params)) : '';
  if (query !== '') bare.search = bare.search === '' ? query : `${bare.search}&${query}`;
  return bare;
}

function givenHeaders(headers: unknown): HeaderFields {
  const fields = new HeaderFields();
  for (const [name, value] of Object.entries(isPlainObject(headers) ? headers : {})) {
    if (value !== null && value !== undefined) fields.set(name, sendable(name, pythonStr(value).trim()));
  }
  return fields;
}

/** Headers are sent as Latin-1; values that do not fit are encoded as UTF-8. */
function sendable(name: string, value: string): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw fault('runner.http-header', { name, reason: 'it is not a valid header name' });
  if (/[\0\r\n]/.test(value)) throw fault('runner.http-header', { name, reason: 'its value contains a line break' });
  return [...value].every((char) => char <= '\xff') ? value : Buffer.from(value).toString('latin1');
}

/** A `Cookie` header replaces the parameter. */
function givenCookies(field: string | undefined, cookies: unknown): (readonly [string, string])[] {
  if (field !== undefined) return cookiePairs(field);
  if (!isPlainObject(cookies)) return [];
  return Object.entries(cookies).map(([name, value]) => [name, sendable('Cookie', pythonStr(value))] as const);
}
