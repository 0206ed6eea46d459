import { isSameServer } from './url-text';

interface Cookie {
  readonly name: string;
  readonly value: string;
  goesTo(url: URL): boolean;
}

/** The cookies of one run: given ones, for the server of its URL, and those set by servers. */
export class CookieJar {
  #cookies: readonly Cookie[];

  constructor(given: Iterable<readonly [string, string]>, url: URL) {
    this.#cookies = [...given].map(([name, value]) => ({ name, value, goesTo: (to) => isSameServer(url, to) }));
  }

  /** The value of the `Cookie` header. */
  header(url: URL): string | undefined {
    const sent = this.#cookies.filter((cookie) => cookie.goesTo(url));
    return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  /** Stores cookies set by a server; an expired one removes the cookie of its name. @param fields values of `Set-Cookie` */
  take(fields: readonly string[], url: URL): void {
    for (const field of fields) {
      const [pair = '', ...attributes] = field.split(';');
      const [name, value] = splitPair(pair);
      if (name === '') continue;
      const scope = new Map(attributes.map((attribute) => lowered(splitPair(attribute))));
      const others = this.#cookies.filter((cookie) => cookie.name !== name || !cookie.goesTo(url));
      this.#cookies = isOver(scope) ? others : [...others, { name, value, goesTo: scopeOf(scope, url) }];
    }
  }
}

/** Parses a `Cookie` header into pairs. */
export const cookiePairs = (field: string): (readonly [string, string])[] => field.split(';').map(splitPair);

function splitPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  return at === -1 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

const lowered = ([name, value]: readonly [string, string]) => [name.toLowerCase(), value] as const;

function isOver(scope: ReadonlyMap<string, string>): boolean {
  const maxAge = scope.get('max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  return Date.parse(scope.get('expires') ?? '') <= Date.now();
}

/** RFC 6265, section 5.4: by host or domain, path, and encryption. */
function scopeOf(scope: ReadonlyMap<string, string>, { hostname, pathname }: URL): (to: URL) => boolean {
  const domain = (scope.get('domain') ?? '').replace(/^\./, '').toLowerCase();
  const isDomain = domain.includes('.') && hostname.endsWith(`.${domain}`);
  const given = scope.get('path') ?? '';
  const path = given.startsWith('/') ? given : pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));
  const folder = path.endsWith('/') ? path : `${path}/`;
  return (to) =>
    (to.hostname === hostname || (isDomain && `.${to.hostname}`.endsWith(`.${domain}`))) &&
    `${to.pathname}/`.startsWith(folder) &&
    (!scope.has('secure') || to.protocol === 'https:');
}
