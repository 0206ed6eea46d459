import { addressList, bareAddress, fault, isAddressEntry, type AddressList } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { RequestHead } from '../routing/route';

/** The part of a request that names the address of its client. */
export type RequestOrigin = Pick<RequestHead, 'remoteAddress' | 'headerValues'>;

/** The proxies whose headers count, for the requests of one listener. */
export interface TrustedProxies {
  /** Whether a request comes directly from one of them. */
  isSender(request: RequestOrigin): boolean;
  /** The address of the client: the one that trusted proxies report, or else the other end of the connection. */
  clientAddress(request: RequestOrigin): string;
}

export type ProxyOptions = Pick<Config['auth'], 'trusted_proxies' | 'proxy_address_header'>;

/**
 * @param listener requests through a Unix socket always come from a trusted proxy, whatever the list contains
 * @throws Fault `config.conflict`
 */
export function trustedProxies(options: ProxyOptions, listener: 'port' | 'socket'): TrustedProxies {
  const list = proxyList(options.trusted_proxies);
  const header = headerName('proxy_address_header', options.proxy_address_header);
  const isSender = ({ remoteAddress }: RequestOrigin) => listener === 'socket' || list.includes(remoteAddress);
  return {
    isSender,
    clientAddress(request) {
      const sender = listener === 'socket' ? SOCKET : request.remoteAddress;
      return isSender(request) ? namedClient(list, request.headerValues(header), sender) : sender;
    },
  };
}

/** Each proxy adds the address that it got the request from. Everything before an untrusted address may be forged. */
function namedClient(list: AddressList, values: readonly string[], sender: string): string {
  let found = sender;
  for (const text of values.join(',').split(',').reverse()) {
    const address = bareAddress(text);
    if (address === undefined) return found;
    found = address;
    if (!list.includes(address)) return found;
  }
  return found;
}

/** Used in place of an address if a proxy on the Unix socket sends none. */
const SOCKET = 'unix socket';

function proxyList(entries: readonly string[]): AddressList {
  const invalid = entries.find((entry) => !isAddressEntry(entry));
  if (invalid !== undefined) throw invalidEntry(invalid);
  return addressList(entries);
}

const invalidEntry = (entry: string) =>
  fault('config.conflict', {
    text:
      'auth.trusted_proxies: expected addresses such as 10.0.0.7 and networks such as 10.1.0.0/16 with a prefix above 0, ' +
      `got "${entry}"`,
  });

/** @returns the name in lower case. @throws Fault `config.conflict` for a text that cannot be the name of a header */
export function headerName(option: 'proxy_user_header' | 'proxy_address_header', name: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(name)) return name.toLowerCase();
  throw fault('config.conflict', { text: `auth.${option}: expected the name of a header, got "${name}"` });
}
