import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { messageOf } from '@switchyard/base';
import type { Filter } from 'ldapts';
import type { LdapServer, LdapSettings } from './ldap-settings';
import { ldapts } from './ldapts';

/** One connection to one server. */
export interface DirectorySession {
  readonly server: LdapServer;
  bind(dn: string, password: string): Promise<void>;
  search(request: DirectorySearch): Promise<DirectoryEntries>;
  close(): Promise<void>;
}

export interface DirectorySearch {
  readonly base: string;
  readonly scope: LdapSettings['scope'];
  readonly filter: Filter;
  /** A result of this size may be incomplete. */
  readonly most?: number;
}

export interface DirectoryEntries {
  readonly dns: readonly string[];
  /** URLs of servers that may have more results. */
  readonly referrals: readonly string[];
}

/** Reports a call to a server, for the argument `debug`. Never gets a password. */
export type CallReport = (call: string, fields: Readonly<Record<string, unknown>>) => void;

/** A server cannot be used at the moment, with the reason. Another one may work. */
export class ServerUnusable extends Error {
  override readonly name = 'ServerUnusable';
}

/** An error response of an available server, with the code of the protocol. */
export class ServerRefused extends Error {
  override readonly name = 'ServerRefused';
  constructor(
    message: string,
    readonly code: number,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}

type SessionSettings = Pick<LdapSettings, 'connectMs' | 'operationMs' | 'searchSeconds' | 'tls'>;

/** Connects, with TLS if the server has it. @throws ServerUnusable */
export async function openDirectorySession(
  server: LdapServer,
  settings: SessionSettings,
  report: CallReport,
): Promise<DirectorySession> {
  const url = serverUrl(server);
  const client = new (ldapts().Client)({ url, ...clientSettings(server, settings) });
  const call = reporting(url, report);
  const close = () => client.unbind().catch(() => undefined);
  if (server.security === 'starttls') {
    await call('start TLS', {}, () => client.startTLS(tlsOptions(server, settings))).catch(async (error: unknown) => {
      await close();
      throw error;
    });
  }
  return {
    server,
    bind: (dn, password) => call('bind', { dn }, () => client.bind(dn, password)),
    async search({ base, scope, filter, most }) {
      const { searchSeconds: timeLimit } = settings;
      // "1.1" selects no attributes.
      const options = {
        scope,
        filter,
        attributes: ['1.1'],
        timeLimit,
        ...(most ? { sizeLimit: most } : { paged: true }),
      };
      const found = await call(
        'search',
        { base, scope, filter: filter.toString() },
        () => client.search(base, options),
        ({ searchEntries, searchReferences }) => ({
          dns: searchEntries.map(({ dn }) => dn),
          referrals: searchReferences,
        }),
      );
      return { dns: found.searchEntries.map(({ dn }) => dn), referrals: found.searchReferences };
    },
    close,
  };
}

export const serverUrl = ({ host, port, security }: LdapServer): string =>
  `${security === 'ldaps' ? 'ldaps' : 'ldap'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

/**
 * The client reconnects silently when a connection is lost, and a connection that StartTLS had protected would come back without
 * TLS. So it may connect only once.
 */
function clientSettings(server: LdapServer, settings: SessionSettings) {
  let isConnected = false;
  const once = () => {
    if (isConnected) throw new ServerUnusable('the server closed the connection');
    isConnected = true;
  };
  return {
    connectTimeout: settings.connectMs,
    timeout: settings.operationMs,
    ...(server.security === 'ldaps' ? { tlsOptions: tlsOptions(server, settings) } : {}),
    createConnection: ((port: number, host: string) => {
      once();
      return connect(port, host);
    }) as typeof connect,
    createSecureConnection: ((...given: [ConnectionOptions] | [number, string, ConnectionOptions]) => {
      if (given.length === 1) return withHandshakeLimit(connectSecurely(given[0]), settings.connectMs);
      once();
      return connectSecurely(...given);
    }) as typeof connectSecurely,
  };
}

/** The client limits the time to connect, but not the time for the TLS handshake. */
function withHandshakeLimit(socket: TLSSocket, limitMs: number): TLSSocket {
  const timer = setTimeout(() => socket.destroy(new Error('the TLS handshake took too long')), limitMs);
  const end = () => clearTimeout(timer);
  return socket.once('secureConnect', end).once('close', end) satisfies Socket;
}

/** A certificate is checked against the host in the configuration or the referral. */
const tlsOptions = ({ host }: LdapServer, { tls }: SessionSettings): ConnectionOptions => ({
  ...tls,
  host,
  ...(isIP(host) === 0 ? { servername: host } : {}),
});

/** Codes of servers that cannot answer now: busy, unavailable. */
const AWAY_CODES: readonly number[] = [51, 52];

/** Runs calls, reports them with their results, and distinguishes unavailable servers from those that refuse. */
const reporting =
  (url: string, report: CallReport) =>
  async <T>(
    name: string,
    fields: Readonly<Record<string, unknown>>,
    run: () => Promise<T>,
    result: (value: T) => Readonly<Record<string, unknown>> = () => ({}),
  ): Promise<T> => {
    try {
      const value = await run();
      report(name, { url, ...fields, ...result(value) });
      return value;
    } catch (error) {
      report(name, { url, ...fields, error: messageOf(error) });
      const isResult = error instanceof ldapts().ResultCodeError;
      const reason = `${url}: ${name}: ${isResult ? `${error.name}: ` : ''}${messageOf(error).trim()}`;
      if (isResult && !AWAY_CODES.includes(error.code)) throw new ServerRefused(reason, error.code, error);
      throw new ServerUnusable(reason, { cause: error });
    }
  };

/** Codes with which a server refuses one user: locked account, no such entry, no or wrong password, disabled account. */
const REFUSED_CODES: readonly number[] = [19, 32, 48, 49, 50, 53];

/** Whether a bind failed because of its user, and not because of the server or the configuration. */
export const isRefusedUser = (error: unknown): boolean =>
  error instanceof ServerRefused && REFUSED_CODES.includes(error.code);
