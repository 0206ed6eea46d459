import { isPlainObject } from '@switchyard/base';

/** Header fields with case-insensitive look-up that keep the given case when sent. */
export class HeaderFields {
  readonly #fields = new Map<string, readonly [name: string, value: string]>();

  constructor(fields: Iterable<readonly [string, string]> = []) {
    for (const [name, value] of fields) this.set(name, value);
  }

  get(name: string): string | undefined {
    return this.#fields.get(name.toLowerCase())?.[1];
  }

  has(name: string): boolean {
    return this.#fields.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#fields.set(name.toLowerCase(), [name, value]);
  }

  /** Repeated fields are joined into a list (RFC 9110, 5.3). */
  append(name: string, value: string): void {
    const known = this.#fields.get(name.toLowerCase());
    this.#fields.set(name.toLowerCase(), known ? [known[0], `${known[1]}, ${value}`] : [name, value]);
  }

  without(names: Iterable<string>): HeaderFields {
    const copy = new HeaderFields(this);
    for (const name of names) copy.#fields.delete(name.toLowerCase());
    return copy;
  }

  [Symbol.iterator](): Iterator<readonly [string, string]> {
    return this.#fields.values();
  }
}

/**
 * The value of the `Authorization` header: from name and password; from `auth`, which is `name:password`, a list of both, or
 * a complete value such as `Bearer …`; or from the URL.
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
  // Servers without UTF-8 support expect Latin-1, so use it whenever the text fits.
  const isLatin1 = [...text].every((char) => char <= '\xff');
  return `Basic ${Buffer.from(text, isLatin1 ? 'latin1' : 'utf8').toString('base64')}`;
}

/** Decodes credentials of a URL. Invalid percent encoding is kept as is. */
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
