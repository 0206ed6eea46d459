import { httpUrl, isSameServer } from './url-text';
import type { Answer, Hop } from './transport';

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** With these the next request is the same one, body included. */
const SAME_REQUEST: readonly number[] = [307, 308];

/** What one server must not learn of another's. Cookies have rules of their own, see `CookieJar`. */
const SECRET_FIELDS = [
  'Authorization',
  'Proxy-Authorization',
  'X-Auth-Token',
  'X-Api-Key',
  'St2-Api-Key',
  'Svc-Api-Key',
  'Host',
];
const BODY_FIELDS = ['Content-Type', 'Content-Encoding', 'Content-Language', 'Content-Location'];

export const isRedirect = (answer: Answer): boolean =>
  REDIRECTS.includes(answer.status) && locationOf(answer) !== undefined;

/** @throws Fault `runner.http-url` */
export function nextHop({ url, method, headers, body }: Hop, answer: Answer): Hop {
  const target = httpUrl(locationOf(answer) ?? '', url);
  if (target.hash === '') target.hash = url.hash;
  target.username = '';
  target.password = '';
  const isSame = SAME_REQUEST.includes(answer.status);
  const dropped = [...(isSame ? [] : BODY_FIELDS), ...(isSameServer(url, target) ? [] : SECRET_FIELDS)];
  return {
    url: target,
    method: nextMethod(method, answer.status),
    headers: headers.without(dropped),
    ...(isSame && body && { body }),
  };
}

/** As browsers and the libraries that actions are used to do it. */
function nextMethod(method: string, status: number): string {
  if ((status === 302 || status === 303) && method !== 'HEAD') return 'GET';
  return status === 301 && method === 'POST' ? 'GET' : method;
}

const locationOf = ({ fields }: Answer): string | undefined =>
  fields.find(([name]) => name.toLowerCase() === 'location')?.[1];
