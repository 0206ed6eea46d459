import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { fault } from '@switchyard/base';
import { addresses, type Config } from '@switchyard/config';
import {
  checkRestriction,
  reliesOnCookie,
  type AccessControl,
  type CredentialSources,
  type Requester,
} from '@switchyard/identity';
import { LOCAL_ORIGINS } from '../response/send-response';
import { ADMINISTRATORS, ANY_USER, type Guarded, type Route } from '../routing/route';

/**
 * The hosts and origins of trusted callers. Without this check, any website that a user of this machine visits could send requests
 * that need no credentials or only well-known ones, with a form or with a name that resolves to this machine (DNS rebinding).
 * Browsers send both in headers that scripts cannot set.
 */
export interface KnownCallers {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

type AddressOptions = Pick<Config, 'api' | 'auth' | 'stream' | 'webui'>;

/** The configured addresses. A `*` in `api.allow_origin` has no effect here, because it is meant for users with credentials. */
export function knownCallers(config: AddressOptions): KnownCallers {
  const { api, webConsole } = addresses(config);
  const urls = [api, webConsole, ...config.api.allow_origin, ...LOCAL_ORIGINS].flatMap((url) => parsed(url) ?? []);
  const listeners = [config.api.host, config.auth.host, config.stream.host].filter((host) => !WILDCARDS.has(host));
  const named = [...listeners, ...config.api.allowed_hosts].flatMap((host) => hostOf(host)?.hostname ?? []);
  return {
    hosts: new Set([...named, ...urls.map((url) => plainName(url.hostname))]),
    origins: new Set(urls.map(({ origin }) => origin)),
  };
}

/**
 * Checks `Host`, and `Origin` if it is present.
 * @param localAddress the local address of the connection, which is always allowed: unlike a name, it cannot be rebound
 * @throws Fault `request.foreign-host`, `request.foreign-origin`
 */
export function checkCaller(
  known: KnownCallers,
  { host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
  localAddress?: string,
): void {
  const asked = hostOf(host ?? '');
  if (!asked || !isKnownHost(known, asked.hostname, localAddress)) {
    throw fault('request.foreign-host', { host: shown(host), known: [...known.hosts].join(', ') });
  }
  if (origin === undefined) return;
  const from = parsed(origin);
  if (from && (from.host === asked.host || known.origins.has(from.origin))) return;
  throw fault('request.foreign-origin', { origin: shown(origin), known: [...known.origins].join(', ') });
}

/** Checks a request that needs no credentials. @throws like `checkCaller`, and Fault `request.not-json` */
export function checkUnproven(known: KnownCallers, { headers, method, socket }: IncomingMessage, route?: Route): void {
  checkCaller(known, headers, socket.localAddress);
  if (!WRITES.has(method ?? '') || route?.body === 'text') return;
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  // Browsers send a preflight request before a DELETE, and clients send DELETE without a type.
  if (type === 'application/json' || (type === undefined && method === 'DELETE')) return;
  throw fault('request.not-json', { type: shown(type) });
}

const WILDCARDS = new Set(['0.0.0.0', '::', '[::]']);
const WRITES = new Set(['POST', 'PUT', 'DELETE']);
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

const isKnownHost = ({ hosts }: KnownCallers, name: string, localAddress = ''): boolean =>
  LOOPBACK.test(name) || hosts.has(name) || name === localAddress.replace(/^::ffff:/, '');

/** @param text value of a header: a name or an address, with or without a port */
function hostOf(text: string): { readonly hostname: string; readonly host: string } | undefined {
  const bare = text.trim();
  if (bare === '' || /[/\\?#@]/.test(bare)) return undefined;
  const url = parsed(`http://${bare}`) ?? parsed(`http://[${bare}]`);
  return url && { hostname: plainName(url.hostname), host: url.host };
}

const plainName = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

function parsed(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

const LONGEST_SHOWN = 100;
const shown = (value = ''): string => value.slice(0, LONGEST_SHOWN);

/** The values of `Sec-Fetch-Site` for requests that a page of another origin has caused. Scripts cannot set this header. */
const FOREIGN = ['cross-site', 'same-site'];

/** Whether a browser reports that another website caused a request. */
export const isFromForeignSite = ({ headers }: IncomingMessage): boolean =>
  FOREIGN.includes(String(headers['sec-fetch-site']));

/**
 * Refuses a change that another website wants to make with the cookie of a user. `SameSite` keeps most of these cookies
 * away, but not from sites of the same domain such as other.example.org, and not if `api.auth_cookie_same_site` says
 * otherwise.
 * @param allowedOrigins `api.allow_origin`; a `*` allows none here
 * @throws Fault `request.foreign-site`
 */
export function refuseForeignSite(
  request: IncomingMessage,
  credential: CredentialSources,
  allowedOrigins: readonly string[],
): void {
  const { method = '', headers } = request;
  if (!WRITES.has(method) || !isFromForeignSite(request) || !reliesOnCookie(credential)) return;
  const { origin = '' } = headers;
  if (origin !== '*' && allowedOrigins.includes(origin)) return;
  throw fault('request.foreign-site', { origin: shown(origin) });
}

type Declared = Pick<Route, 'open' | 'permission' | 'resource' | 'checksPermission' | 'forRestricted'>;

/**
 * Checks a permission that is not about one resource. Runs before parameters are read, so that callers without the
 * permission do not even see parameter errors.
 * @throws Fault `auth.forbidden`, `auth.restricted`, `auth.administrators-only`
 */
export async function authoriseRoute(access: AccessControl, route: Declared, requester: Requester): Promise<void> {
  const { open, permission, resource, checksPermission, forRestricted } = route;
  if (open || permission === undefined || resource || checksPermission) return;
  if (permission === ANY_USER) {
    if (requester.restriction && !forRestricted) throw fault('auth.restricted');
    return;
  }
  if (permission !== ADMINISTRATORS) return access.authorise(requester, permission);
  if (!requester.isAdmin) throw fault('auth.administrators-only');
}

/**
 * Checks the permission on the resources of a request. Administrators need none, so nothing is looked up for them.
 * @throws Fault `auth.forbidden-resource`, `auth.restricted`, `auth.isolated`
 */
export async function authoriseRequest(
  access: AccessControl,
  route: Declared,
  request: Parameters<Route['handle']>[0],
): Promise<void> {
  const { permission = ADMINISTRATORS } = route;
  const { requester } = request;
  if (requester.isAdmin || !route.resource) return;
  const found = await route.resource(request);
  if (found === undefined) return;
  const { user } = requester;
  const all: readonly Guarded[] = [found].flat();
  if (all.length === 0) await access.authorise(requester, permission);
  for (const { uid, parents, owner, isOwn, permission: needed = permission } of all) {
    if (isOwn) checkRestriction(requester, needed, uid, parents);
    else await access.authorise(requester, needed, uid, parents);
    if (owner !== undefined && owner !== user) throw fault('auth.isolated', { user, resource: uid });
  }
}

/** The query parameter of every resource that may hold secrets. */
export const showSecretsParameter = {
  show_secrets: { type: 'boolean', default: false, description: 'Show secrets in clear (administrators only)' },
} as const;

interface Asking {
  readonly query: { readonly show_secrets?: unknown };
  readonly requester: Pick<Requester, 'isAdmin'>;
}

/** Whether a response shows secrets in clear. The parameter is ignored for users who may not see them. */
export const secretsShown = ({ query, requester }: Asking, { api }: Pick<Config, 'api'>): boolean =>
  !api.mask_secrets || (query.show_secrets === true && requester.isAdmin);
