import { fault } from '@switchyard/base';
import { pythonStr } from '@switchyard/model';

/** Masks the credentials in a URL for messages. */
export const maskedUrl = (url: string): string => url.replace(/(\/\/)[^/?#]*@/g, '$1********@');

/** @throws Fault `runner.http-url` */
export function httpUrl(text: string, base?: URL): URL {
  const invalid = (reason: string) => fault('runner.http-url', { url: maskedUrl(text), reason });
  const trimmed = text.trim();
  if (!base && !/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) throw invalid('no scheme such as https:// supplied');
  const url = parse(trimmed, base);
  if (!url || url.hostname === '') throw invalid('it has no host');
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

/** Encodes a form or query: lists become repeated fields, null is left out. */
export function encodedFields(fields: Iterable<readonly [string, unknown]>): string {
  const parts: string[] = [];
  for (const [name, value] of fields) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (each !== null && each !== undefined) parts.push(`${encoded(name)}=${encoded(pythonStr(each))}`);
    }
  }
  return parts.join('&');
}

/** Converting through bytes replaces lone surrogates, which cannot be encoded. */
const encoded = (text: string): string =>
  encodeURIComponent(Buffer.from(text).toString())
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

/** Whether secrets may be shared: the same server, or an upgrade from http to https on default ports. */
export function isSameServer(from: URL, to: URL): boolean {
  if (from.hostname !== to.hostname) return false;
  if (from.origin === to.origin) return true;
  return from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
}
