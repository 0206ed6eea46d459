import { BlockList, isIP } from 'node:net';
import { fault } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { RequestHead } from '@switchyard/http';

/** The proxies whose headers count, for the requests of one listener. */
export interface TrustedProxies {
  /** Whether a request comes directly from one of them. */
  isSender(request: RequestHead): boolean;
  /** The address of the client: what trusted proxies say, or else the other end of the connection. */
  clientAddress(request: RequestHead): string;
}

export type ProxyOptions = Pick<Config['auth'], 'trusted_proxies' | 'proxy_address_header'>;

/**
 * @param listener what comes through the Unix socket was sent by a trusted proxy, whatever the list says
 * @throws Fault `config.conflict`
 */
export function trustedProxies(options: ProxyOptions, listener: 'port' | 'socket'): TrustedProxies {
  const list = proxyList(options.trusted_proxies);
  const header = headerName('proxy_address_header', options.proxy_address_header);
  const isSender = ({ remoteAddress }: RequestHead) => listener === 'socket' || isListed(list, remoteAddress);
  return {
    isSender,
    clientAddress(request) {
      const sender = listener === 'socket' ? SOCKET : request.remoteAddress;
      return isSender(request) ? namedClient(list, request.headerValues(header), sender) : sender;
    },
  };
}

/** Each proxy adds the address that it got the request from. What stands before an untrusted address may be made up. */
function namedClient(list: BlockList, values: readonly string[], sender: string): string {
  let found = sender;
  for (const text of values.join(',').split(',').reverse()) {
    const address = bareAddress(text);
    if (address === undefined) return found;
    found = address;
    if (!isListed(list, address)) return found;
  }
  return found;
}

/** In place of an address, where a proxy on the Unix socket names none. */
const SOCKET = 'unix socket';

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;
const LONGEST_PREFIX = { 4: 32, 6: 128 } as const;

function proxyList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d+))?$/.exec(entry) ?? [];
    const version = isIP(address) as 0 | 4 | 6;
    const longest = version === 0 ? 0 : LONGEST_PREFIX[version];
    const length = Number(prefix ?? longest);
    // A prefix of 0 would trust everyone.
    if (version === 0 || length < 1 || length > longest) throw invalidEntry(entry);
    list.addSubnet(address, length, FAMILIES[version]);
  }
  return list;
}

const invalidEntry = (entry: string) =>
  fault('config.conflict', {
    text:
      'auth.trusted_proxies: expected addresses such as 10.0.0.7 and networks such as 10.1.0.0/16 with a prefix above 0, ' +
      `got "${entry}"`,
  });

function isListed(list: BlockList, text: string): boolean {
  const address = bareAddress(text);
  const version = isIP(address ?? '') as 0 | 4 | 6;
  return version !== 0 && list.check(address as string, FAMILIES[version]);
}

/** An address without port, zone and brackets, and an IPv4 address in its own notation. */
function bareAddress(text: string): string | undefined {
  const [, inBrackets, before] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(text.trim()) ?? [];
  const bare = (inBrackets ?? before ?? text.trim()).replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(bare) === 0 ? undefined : bare;
}

/** @returns the name in lower case. @throws Fault `config.conflict` for a text that cannot be the name of a header */
export function headerName(option: 'proxy_user_header' | 'proxy_address_header', name: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(name)) return name.toLowerCase();
  throw fault('config.conflict', { text: `auth.${option}: expected the name of a header, got "${name}"` });
}
