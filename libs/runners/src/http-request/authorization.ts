import { isPlainObject } from '@switchyard/base';

/**
 * The value of the field `Authorization`: from name and password, or from `auth`: a text `name:password`, a list of both,
 * or a whole value such as `Bearer …`; or else from the URL.
 */
export function authorization(parameters: Readonly<Record<string, unknown>>, url: URL): string | undefined {
  const { username, password, auth } = parameters;
  if (isGiven(username) || isGiven(password)) return basic(textOf(username), textOf(password));
  if (Array.isArray(auth) && auth.length === 2) return basic(textOf(auth[0]), textOf(auth[1]));
  if (typeof auth === 'string' && auth !== '') return fromText(auth);
  if (url.username === '' && url.password === '') return undefined;
  return basic(decoded(url.username), decoded(url.password));
}

export function basic(name: string, password: string): string {
  const text = `${name}:${password}`;
  // Servers that take no UTF-8 expect Latin-1, and what fits into it has always been sent that way.
  const isLatin1 = [...text].every((char) => char <= '\xff');
  return `Basic ${Buffer.from(text, isLatin1 ? 'latin1' : 'utf8').toString('base64')}`;
}

/** What stands before the host in a URL; a percent sign that encodes nothing is one. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fromText(auth: string): string {
  if (/^[A-Za-z][\w-]* \S/.test(auth)) return auth;
  const at = auth.indexOf(':');
  return at === -1 ? basic(auth, '') : basic(auth.slice(0, at), auth.slice(at + 1));
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const textOf = (value: unknown): string => (isGiven(value) && !isPlainObject(value) ? String(value) : '');
