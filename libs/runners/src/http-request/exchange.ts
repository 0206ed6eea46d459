import { fault } from '@switchyard/base';
import { CookieJar } from './cookie-jar';
import { describeHttpFailure } from './describe-failure';
import type { RequestSettings } from './http-settings';
import { createHttpTransport, type HttpReply, type Hop, type HttpTransport } from './transport';
import { httpUrl, isSameServer } from './url-text';

const MOST_REDIRECTS = 30;

/**
 * Sends the request and follows redirects according to the settings. @param read reads the final response; the connection
 * is closed afterwards
 * @throws Fault `runner.http-…`
 */
export async function exchange<T>(
  settings: RequestSettings,
  signal: AbortSignal,
  read: (answer: HttpReply, hop: Hop) => Promise<T>,
): Promise<T> {
  const { url, method, headers, body } = settings;
  settings.hosts.check(url, settings.urlAsWritten);
  const jar = new CookieJar(settings.cookies, url);
  const transport = await createHttpTransport(settings);
  let hop: Hop = { url, method, headers, ...(body && { body }) };
  try {
    for (let redirects = 0; ; redirects++) {
      const answer = await sendHop(transport, hop, jar, signal);
      if (!settings.followsRedirects || !isRedirect(answer)) return await read(answer, hop);
      // The body of a redirect is not needed, and it may never end.
      answer.body.on('error', () => undefined).destroy();
      if (redirects === MOST_REDIRECTS) throw fault('runner.http-redirects', { limit: MOST_REDIRECTS });
      hop = nextHop(hop, answer);
      settings.hosts.check(hop.url, hop.url.href);
    }
  } catch (thrown) {
    throw describeHttpFailure(thrown, hop.url);
  } finally {
    await transport.close();
  }
}

async function sendHop(transport: HttpTransport, hop: Hop, jar: CookieJar, signal: AbortSignal): Promise<HttpReply> {
  const cookies = jar.header(hop.url);
  const headers = hop.headers.without([]);
  if (cookies !== undefined) headers.set('Cookie', cookies);
  const answer = await transport.send({ ...hop, headers }, signal);
  const set = answer.fields.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value);
  jar.take(set, hop.url);
  return answer;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** These repeat the same request, including the body. */
const SAME_REQUEST: readonly number[] = [307, 308];

/** Headers that are not passed to another server. Cookies have their own rules, see `CookieJar`. */
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

const isRedirect = (answer: HttpReply): boolean =>
  REDIRECTS.includes(answer.status) && locationOf(answer) !== undefined;

/** @throws Fault `runner.http-url` */
function nextHop({ url, method, headers, body }: Hop, answer: HttpReply): Hop {
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

/** The same rules as browsers and common HTTP libraries. */
function nextMethod(method: string, status: number): string {
  if ((status === 302 || status === 303) && method !== 'HEAD') return 'GET';
  return status === 301 && method === 'POST' ? 'GET' : method;
}

const locationOf = ({ fields }: HttpReply): string | undefined =>
  fields.find(([name]) => name.toLowerCase() === 'location')?.[1];
