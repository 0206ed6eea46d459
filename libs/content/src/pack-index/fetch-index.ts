import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { messageOf, MIB, SECOND_MS } from '@switchyard/base';
import type * as Undici from 'undici';
import type { PROXY_NAMES } from '../virtualenvs/virtualenv-settings';

export type ProxyVariables = Readonly<Partial<Record<(typeof PROXY_NAMES)[number], string>>>;

export interface FetchOptions {
  readonly proxies: ProxyVariables;
  /** For the whole request. Default: 20 s. */
  readonly timeoutMs?: number;
  /** Default: 32 MiB, after decompression. */
  readonly maxBytes?: number;
}

const TIMEOUT_MS = 20 * SECOND_MS;
const MAX_BYTES = 32 * MIB;

/** Fetches the text of an index over HTTP. @throws IndexError `unresponsive`, `other errors` */
export async function fetchIndex(address: string, options: FetchOptions): Promise<string> {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const { url, headers } = targetOf(address);
  // Loaded on first use, because loading takes a tenth of a second.
  const undici = await import('undici');
  const dispatcher = await dispatcherOf(undici, url, options.proxies);
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await undici.fetch(url, { dispatcher, headers, signal }).catch(silent);
    if (!response.ok) throw new IndexError('unresponsive', `it responded with status ${response.status}`);
    return await limitedText(response.body ?? [], maxBytes);
  } finally {
    await dispatcher.destroy();
  }
}

const silent = (error: unknown): never => {
  const { cause } = error as Error;
  const reason = cause instanceof Error ? cause : error;
  throw new IndexError('unresponsive', messageOf(reason) || String((reason as { code?: unknown }).code), {
    cause: error,
  });
};

const PROTOCOLS = ['http:', 'https:'];

/** `fetch` refuses URLs with credentials, so they move to a header. */
function targetOf(address: string): { url: URL; headers: Record<string, string> } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !PROTOCOLS.includes(url.protocol)) throw new IndexError('other errors', 'it is not an HTTP URL');
  const { username, password } = url;
  url.username = url.password = '';
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = username === '' ? {} : { Authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  return { url, headers: { Accept: 'application/json', ...authorization } };
}

/** Empty strings keep undici from reading the environment of this process, which the settings already include. */
async function dispatcherOf(undici: typeof Undici, url: URL, proxies: ProxyVariables): Promise<Undici.Dispatcher> {
  const { http_proxy = '', https_proxy = '', no_proxy = '', proxy_ca_bundle_path: bundle } = proxies;
  const tls = bundle === undefined ? {} : { ca: [...rootCertificates, await certificatesIn(bundle)] };
  return new undici.EnvHttpProxyAgent({
    // Otherwise undici would use this proxy for HTTPS as well.
    httpProxy: url.protocol === 'https:' && https_proxy === '' ? '' : http_proxy,
    httpsProxy: https_proxy,
    noProxy: no_proxy,
    // Plain requests go to the proxy without a tunnel: many proxies allow tunnels only for HTTPS.
    proxyTunnel: false,
    connect: tls,
    requestTls: tls,
    proxyTls: tls,
  });
}

const certificatesIn = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    throw new IndexError('other errors', `the certificates cannot be read: ${messageOf(error)}`, { cause: error });
  });

async function limitedText(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new IndexError('other errors', `it is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof IndexError) throw error;
    return silent(error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** An index entry of a pack: the attributes of its `pack.yaml`, `repo_url`, counts of its content. */
export type IndexEntry = Readonly<Record<string, unknown>>;

export type IndexProblem = 'malformed' | 'unresponsive' | 'empty' | 'other errors';

/** The outcome of reading one index, as shown to clients. */
export interface IndexStatus {
  /** Without credentials. */
  readonly url: string;
  /** Number of packs. */
  readonly packs: number;
  readonly message: string;
  readonly error: IndexProblem | null;
}

export interface ReadIndex {
  readonly status: IndexStatus;
  readonly packs: ReadonlyMap<string, IndexEntry>;
}

/** Thrown when an index is unusable. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
  constructor(
    readonly problem: IndexProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
