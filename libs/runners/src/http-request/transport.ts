import { lookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { fault, messageOf } from '@switchyard/base';
import type { Dispatcher, Pool } from 'undici';
import { basic, decoded, type HeaderFields } from './header-fields';
import type { RequestSettings } from './http-settings';

/** One request on the wire. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: HeaderFields;
  readonly body?: Buffer;
}

export interface HttpReply {
  readonly status: number;
  /** Names in the server's spelling. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Readable;
}

type TransportSettings = Pick<RequestSettings, 'proxies' | 'verifiesCertificate' | 'caFile' | 'hosts'>;

/** The connections of one run. */
export interface HttpTransport {
  send(hop: Hop, signal: AbortSignal): Promise<HttpReply>;
  close(): Promise<void>;
}

/** The run has a time limit, so connections need none. */
const WITHOUT_LIMITS = { headersTimeout: 0, bodyTimeout: 0 } as const;

/** Loads undici on first use, because loading takes a tenth of a second. */
export async function createHttpTransport(settings: TransportSettings): Promise<HttpTransport> {
  const undici = await import('undici');
  /** URLs by host, for direct connections only: the host lists do not apply to the addresses of proxies. */
  const direct = new Map<string, string>();
  const lookupChecked = checkedLookup((name, address) => {
    const url = direct.get(name);
    if (url !== undefined) settings.hosts.checkAddress(address, url);
  });
  const connect = { ...tlsOptions(settings), timeout: 0, lookup: lookupChecked };
  const clientFactory = (origin: URL, options: object) => plainlyFailing(new undici.Pool(origin, options));
  const dispatchers = new Map<string, Dispatcher>();
  const dispatcherFor = (url: URL, proxy: URL | undefined): Dispatcher => {
    const isTunnel = proxy !== undefined && url.protocol === 'https:';
    const key = isTunnel ? proxy.href : '';
    const dispatcher =
      dispatchers.get(key) ??
      (isTunnel
        ? new undici.ProxyAgent({ ...tunnelThrough(proxy, connect), clientFactory })
        : new undici.Agent({ connect, ...WITHOUT_LIMITS }));
    dispatchers.set(key, dispatcher);
    return dispatcher;
  };
  return {
    async send(hop, signal) {
      const proxy = settings.proxies.for(hop.url);
      if (!proxy) direct.set(hop.url.hostname, hop.url.href);
      return answerOf(await dispatcherFor(hop.url, proxy).request({ ...target(hop, proxy), signal }));
    },
    async close() {
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** A look-up that checks the very addresses to be connected to, so that DNS cannot change in between. */
function checkedLookup(check: (name: string, address: string) => void): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      try {
        if (error) throw error;
        for (const { address } of addresses) check(name, address);
      } catch (thrown) {
        return callback(thrown as Error, '', 0);
      }
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

function tlsOptions({ verifiesCertificate, caFile }: TransportSettings) {
  if (!verifiesCertificate) return { rejectUnauthorized: false };
  if (caFile === undefined) return {};
  try {
    return { ca: readFileSync(caFile) };
  } catch (thrown) {
    throw fault('runner.http-ca-file', { path: caFile, reason: messageOf(thrown) }, { cause: thrown });
  }
}

/** Encrypted requests use a tunnel; plain requests are sent to the proxy (RFC 9112, 3.2.2 and 3.2.3). */
const tunnelThrough = (proxy: URL, tls: object) => ({
  uri: proxy.origin,
  ...(proxy.username !== '' && { token: proxyCredentials(proxy) }),
  proxyTls: tls,
  requestTls: tls,
  ...WITHOUT_LIMITS,
});

/** Wraps connection errors: undici retries its own errors endlessly when a proxy closes the connection. */
function plainlyFailing(pool: Pool): Pool {
  const connect: (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: (options: Dispatcher.ConnectOptions) =>
      connect(options).catch((cause: unknown) => {
        throw new Error('the proxy refuses the connection', { cause });
      }),
  });
}

function target({ url, method, headers, body }: Hop, proxy: URL | undefined): Dispatcher.RequestOptions {
  const path = `${url.pathname}${url.search}`;
  const common = { method, body: body ?? null, responseHeaders: 'raw' } as const;
  if (!proxy || url.protocol === 'https:') return { ...common, origin: url.origin, path, headers: pairs(headers) };
  const extra = [
    ...(headers.has('Host') ? [] : ['Host', url.host]),
    ...(proxy.username === '' ? [] : ['Proxy-Authorization', proxyCredentials(proxy)]),
  ];
  return { ...common, origin: proxy.origin, path: url.origin + path, headers: [...pairs(headers), ...extra] };
}

const pairs = (headers: HeaderFields): string[] => [...headers].flat();

const proxyCredentials = ({ username, password }: URL): string => basic(decoded(username), decoded(password));

function answerOf({ statusCode, headers, body }: Dispatcher.ResponseData): HttpReply {
  // Raw headers are a flat list of alternating names and values.
  const list = headers as unknown as readonly string[];
  const fields = Array.from({ length: list.length / 2 }, (_, at) => [list[2 * at]!, String(list[2 * at + 1])] as const);
  return { status: statusCode, fields, body: statusCode === NOT_MODIFIED ? withoutContent(body) : body };
}

const NOT_MODIFIED = 304;

/**
 * The response 304 may have the length of the content that it leaves out (RFC 9110, 8.6). undici then reports a body that is too short.
 */
function withoutContent(body: Readable): Readable {
  body.on('error', () => undefined).resume();
  return Readable.from([]);
}
