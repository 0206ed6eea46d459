import { fault, messageOf } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';
import {
  openDirectorySession,
  serverUrl,
  ServerUnusable,
  type DirectorySearch,
  type DirectorySession,
} from './directory-session';
import type { LdapServer, LdapSettings } from './ldap-settings';

/** A session of the service account, which also follows referrals in searches. */
export interface Directory {
  /** The session with the server that was chosen. */
  readonly main: DirectorySession;
  /** DNs, each with the session of the server that has it. */
  search(request: DirectorySearch): Promise<readonly FoundEntry[]>;
  /** Binds a session as the service account again after a user was bound. */
  bindAgain(session: DirectorySession): Promise<void>;
}

export interface FoundEntry {
  readonly dn: string;
  readonly session: DirectorySession;
}

export type DirectoryUse<T> = (directory: Directory) => Promise<T>;

/** The longest chain of referrals that is followed. */
const MOST_HOPS = 5;

/**
 * Connects to the first server that can be used, beginning with the one that was used last.
 * @returns a function that uses a directory and then closes all connections
 *   @throws Fault `auth.backend-unavailable`, with the reason as its cause
 */
export function directoryOf(settings: LdapSettings, logger: Pick<Logger, 'info' | 'warn'>) {
  const report = settings.debug
    ? (call: string, fields: Readonly<Record<string, unknown>>) => logger.info(`LDAP ${call}.`, fields)
    : () => undefined;
  let first = 0;
  const useServer = async <T>(server: LdapServer, use: DirectoryUse<T>): Promise<T> => {
    const sessions = new Map<string, DirectorySession>();
    const sessionOf = async (wanted: LdapServer) => {
      const known = sessions.get(serverUrl(wanted));
      if (known) return known;
      const session = await openDirectorySession(wanted, settings, report);
      sessions.set(serverUrl(wanted), session);
      await session.bind(settings.bindDn, settings.bindPassword);
      return session;
    };
    try {
      return await use(directoryOn(await sessionOf(server), settings, sessionOf));
    } finally {
      await Promise.all([...sessions.values()].map((session) => session.close()));
    }
  };
  return async <T>(use: DirectoryUse<T>): Promise<T> => {
    const { servers } = settings;
    const reasons: string[] = [];
    for (const turn of servers.keys()) {
      const index = (first + turn) % servers.length;
      try {
        const result = await useServer(servers[index] as LdapServer, use);
        first = index;
        return result;
      } catch (error) {
        reasons.push(messageOf(error));
        if (!(error instanceof ServerUnusable)) throw unavailable(reasons, error);
        logger.warn('An LDAP server cannot be used.', { reason: messageOf(error) });
      }
    }
    throw unavailable(reasons, undefined);
  };
}

const unavailable = (reasons: readonly string[], error: unknown) =>
  fault('auth.backend-unavailable', { name: 'ldap' }, { cause: new Error(reasons.join('; '), { cause: error }) });

function directoryOn(
  main: DirectorySession,
  settings: LdapSettings,
  sessionOf: (server: LdapServer) => Promise<DirectorySession>,
): Directory {
  const searchFrom = async (
    session: DirectorySession,
    request: DirectorySearch,
    visited: ReadonlySet<string>,
  ): Promise<FoundEntry[]> => {
    const { dns, referrals } = await session.search(request);
    const found = dns.map((dn) => ({ dn, session }));
    if (!settings.chaseReferrals) return found;
    for (const url of referrals) {
      if (visited.has(url)) continue;
      if (visited.size >= MOST_HOPS)
        throw new ServerUnusable(`more than ${MOST_HOPS} referrals in a row, the last to ${url}`);
      const target = referred(url, session.server, request);
      const next = await sessionOf(target.server);
      found.push(...(await searchFrom(next, target.request, new Set([...visited, url]))));
    }
    return found;
  };
  return {
    main,
    search: async (request) => withoutRepeats(await searchFrom(main, request, new Set())),
    bindAgain: (session) => session.bind(settings.bindDn, settings.bindPassword),
  };
}

/** A referral may lead back to a server that was asked already. */
const withoutRepeats = (entries: readonly FoundEntry[]): FoundEntry[] =>
  entries.filter(
    ({ dn, session }, index) => entries.findIndex((each) => each.dn === dn && each.session === session) === index,
  );

const SCOPES = { base: 'base', one: 'one', sub: 'sub' } as const;
const isScope = (text: string | undefined): text is keyof typeof SCOPES =>
  text !== undefined && Object.hasOwn(SCOPES, text);

/**
 * The target of a referral URL (RFC 4516). The connection to it uses the same security as the one that returned the
 * URL.
 * @throws ServerUnusable
 */
function referred(url: string, from: LdapServer, request: DirectorySearch) {
  if (!URL.canParse(url)) throw new ServerUnusable(`a referral to "${url}", which is not a URL`);
  const { protocol, hostname, port, pathname, search } = new URL(url);
  if (!['ldap:', 'ldaps:'].includes(protocol)) throw new ServerUnusable(`a referral to "${url}", which is not LDAP`);
  const security = protocol === 'ldaps:' ? 'ldaps' : from.security === 'none' ? 'none' : 'starttls';
  const server: LdapServer = {
    host: hostname === '' ? from.host : hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (security === 'ldaps' ? 636 : 389) : Number(port),
    security,
  };
  const scope = search.slice(1).split('?')[1];
  const base = decodeURIComponent(pathname.slice(1));
  return {
    server,
    request: { ...request, ...(base === '' ? {} : { base }), ...(isScope(scope) ? { scope: SCOPES[scope] } : {}) },
  };
}
