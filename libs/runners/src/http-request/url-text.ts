import { fault } from '@switchyard/base';
import { pythonStr } from '@switchyard/model';

/** A URL for messages: user and password are not for everybody who reads them. */
export const maskedUrl = (url: string): string => url.replace(/(\/\/)[^/?#]*@/g, '$1********@');

/** @throws Fault `runner.http-url` */
export function httpUrl(text: string, base?: URL): URL {
  const invalid = (reason: string) => fault('runner.http-url', { url: maskedUrl(text), reason });
  const trimmed = text.trim();
  if (!base && !/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) throw invalid('no scheme such as https:// supplied');
  const url = parse(trimmed, base);
  if (!url || url.hostname === '') throw invalid('it is not the URL of a host');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw invalid(`no such protocol: ${url.protocol}`);
  return url;
}

function parse(text: string, base: URL | undefined): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** The fields of a form or of a query: a list is a field for each item, and null is left out. */
export function encodedFields(fields: Iterable<readonly [string, unknown]>): string {
  const parts: string[] = [];
  for (const [name, value] of fields) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (each !== null && each !== undefined) parts.push(`${encoded(name)}=${encoded(pythonStr(each))}`);
    }
  }
  return parts.join('&');
}

/** The way over bytes replaces halves of characters, which cannot be encoded. */
const encoded = (text: string): string =>
  encodeURIComponent(Buffer.from(text).toString())
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

/** Whether what is secret to one may be told to the other: the same server, or its encrypted form at the usual ports. */
export function isSameServer(from: URL, to: URL): boolean {
  if (from.hostname !== to.hostname) return false;
  if (from.origin === to.origin) return true;
  return from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
}
