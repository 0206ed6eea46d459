import type { IncomingMessage } from 'node:http';
import { fault } from '@switchyard/base';
import { reliesOnCookie, type CredentialSources } from '@switchyard/identity';

/** The values of `Sec-Fetch-Site` for requests that a page of another origin has caused. Scripts cannot set this header. */
const FOREIGN = ['cross-site', 'same-site'];

/** Whether a browser says that another website has caused a request. */
export const isFromForeignSite = ({ headers }: IncomingMessage): boolean =>
  FOREIGN.includes(String(headers['sec-fetch-site']));

const WRITES = ['POST', 'PUT', 'DELETE'];

/**
 * Refuses a change that another website wants to make with the cookie of a user. `SameSite` keeps most of these cookies away, but not
 * for neighbours such as other.example.org, and not if `api.auth_cookie_same_site` says otherwise.
 * @param allowedOrigins `api.allow_origin`; a `*` allows none here
 * @throws Fault `request.foreign-site`
 */
export function refuseForeignSite(
  request: IncomingMessage,
  credential: CredentialSources,
  allowedOrigins: readonly string[],
): void {
  const { method = '', headers } = request;
  if (!WRITES.includes(method) || !isFromForeignSite(request) || !reliesOnCookie(credential)) return;
  const { origin = '' } = headers;
  if (origin !== '*' && allowedOrigins.includes(origin)) return;
  throw fault('request.foreign-site', { origin: origin.slice(0, LONGEST_SHOWN) });
}

const LONGEST_SHOWN = 100;
