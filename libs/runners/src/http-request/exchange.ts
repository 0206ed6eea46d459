import { fault } from '@switchyard/base';
import { CookieJar } from './cookie-jar';
import { describeFailure } from './describe-failure';
import type { HttpSettings } from './http-settings';
import { isRedirect, nextHop } from './redirect';
import { createTransport, type Answer, type Hop, type Transport } from './transport';

const MOST_REDIRECTS = 30;

/**
 * Sends the request and follows redirects, as far as the settings have it. @param read takes the last answer; its
 * connection is closed afterwards
 * @throws Fault `runner.http-…`
 */
export async function exchange<T>(
  settings: HttpSettings,
  signal: AbortSignal,
  read: (answer: Answer, hop: Hop) => Promise<T>,
): Promise<T> {
  const { url, method, headers, body } = settings;
  settings.hosts.check(url, settings.urlAsWritten);
  const jar = new CookieJar(settings.cookies, url);
  const transport = await createTransport(settings);
  let hop: Hop = { url, method, headers, ...(body && { body }) };
  try {
    for (let redirects = 0; ; redirects++) {
      const answer = await sendHop(transport, hop, jar, signal);
      if (!settings.followsRedirects || !isRedirect(answer)) return await read(answer, hop);
      // What the body of a redirect says is for readers of the answer, and it may never end.
      answer.body.on('error', () => undefined).destroy();
      if (redirects === MOST_REDIRECTS) throw fault('runner.http-redirects', { limit: MOST_REDIRECTS });
      hop = nextHop(hop, answer);
      settings.hosts.check(hop.url, hop.url.href);
    }
  } catch (thrown) {
    throw describeFailure(thrown, hop.url);
  } finally {
    await transport.close();
  }
}

async function sendHop(transport: Transport, hop: Hop, jar: CookieJar, signal: AbortSignal): Promise<Answer> {
  const cookies = jar.header(hop.url);
  const headers = hop.headers.without([]);
  if (cookies !== undefined) headers.set('Cookie', cookies);
  const answer = await transport.send({ ...hop, headers }, signal);
  const set = answer.fields.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value);
  jar.take(set, hop.url);
  return answer;
}
