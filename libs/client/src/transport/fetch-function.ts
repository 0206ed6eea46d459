import { readFileSync } from 'node:fs';
import { messageOf } from '@switchyard/base';
import type { ClientOptions } from '../client-options';
import { ConnectionError } from '../api-error';

export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

type TlsAndProxy = Pick<ClientOptions, 'caFile' | 'verifyTls' | 'proxy'>;

const LOOPBACK = 'localhost,127.0.0.1,::1';

/**
 * The built-in fetch of Node.js where possible. It supports neither custom certificates nor proxies. For these undici
 * itself is loaded, which takes a tenth of a second.
 */
export function fetchFunction(options: TlsAndProxy): FetchFunction {
  const usesProxy = Boolean(options.proxy?.http ?? options.proxy?.https);
  if (options.caFile === undefined && options.verifyTls !== false && !usesProxy) {
    return (url, init) => fetch(url, init);
  }
  let own: Promise<FetchFunction> | undefined;
  return async (url, init) => (await (own ??= undiciFetch(options)))(url, init);
}

async function undiciFetch({ caFile, verifyTls, proxy }: TlsAndProxy): Promise<FetchFunction> {
  const tls = {
    ...(caFile === undefined ? {} : { ca: readCertificates(caFile) }),
    rejectUnauthorized: verifyTls !== false,
  };
  const undici = await import('undici');
  const dispatcher = new undici.EnvHttpProxyAgent({
    httpProxy: proxy?.http ?? '',
    httpsProxy: proxy?.https ?? '',
    noProxy: [LOOPBACK, proxy?.bypass].filter(Boolean).join(','),
    connect: tls,
    requestTls: tls,
  });
  // undici has its own types for the same standard interfaces.
  const fetchWith = undici.fetch as unknown as (url: string, init: object) => Promise<Response>;
  return (url, init) => fetchWith(url, { ...init, dispatcher });
}

function readCertificates(caFile: string): string {
  try {
    return readFileSync(caFile, 'utf8');
  } catch (error) {
    throw new ConnectionError(caFile, `cannot read the certificate file: ${messageOf(error)}`, error);
  }
}
