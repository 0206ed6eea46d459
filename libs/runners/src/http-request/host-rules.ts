import { fault } from '@switchyard/base';
import { maskedUrl } from './url-text';

/** Which hosts requests may go to. */
export interface HostRules {
  /** @throws Fault `runner.http-blacklisted`, `runner.http-not-whitelisted` */
  check(url: URL, asWritten: string): void;
  /** For the addresses that the name in a URL stands for. @throws Fault `runner.http-blacklisted` */
  checkAddress(address: string, url: string): void;
}

/** @throws Fault `runner.http-host-lists` when there are both lists */
export function hostRules(blacklist: unknown, whitelist: unknown): HostRules {
  const refused = hostSet(blacklist);
  const allowed = hostSet(whitelist);
  if (refused && allowed) throw fault('runner.http-host-lists');
  const isRefused = (host: string): boolean => refused !== undefined && meant(host).some((each) => refused.has(each));
  return {
    checkAddress(address, url) {
      if (isRefused(canonicalHost(address))) throw fault('runner.http-blacklisted', { url: maskedUrl(url) });
    },
    check(url, asWritten) {
      const host = canonicalHost(url.hostname);
      if (isRefused(host)) throw fault('runner.http-blacklisted', { url: maskedUrl(asWritten) });
      if (allowed && !allowed.has(host)) throw fault('runner.http-not-whitelisted', { url: maskedUrl(asWritten) });
    },
  };
}

/** An empty list is none. */
function hostSet(list: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return new Set(list.map((host) => canonicalHost(String(host))));
}

/** Hosts have many spellings: letters in any case, a dot at the end, numbers of addresses in any notation. */
function canonicalHost(host: string): string {
  const bare = host.trim().replace(/^\[|\]$/g, '');
  try {
    const { hostname } = new URL(`http://${bare.includes(':') ? `[${bare}]` : bare}/`);
    return embeddedIpv4(hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''));
  } catch {
    return bare.toLowerCase();
  }
}

/** IPv6 addresses that stand for one of IPv4, as URLs write them: mapped, compatible, and those of NAT64 (RFC 6052). */
const WITH_IPV4 = /^(?:::ffff:|::|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/;

function embeddedIpv4(host: string): string {
  const [, high = '0', low] = WITH_IPV4.exec(host) ?? [];
  // The loopback address of IPv6 is one of its own.
  if (low === undefined || host === '::1') return host;
  const octets = [high, low].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]);
  return octets.join('.');
}

/** The address of nobody in particular leads to this machine. */
const UNSPECIFIED: readonly string[] = ['0.0.0.0', '::'];
const meant = (host: string): readonly string[] =>
  UNSPECIFIED.includes(host) ? [...UNSPECIFIED, '127.0.0.1', '::1', 'localhost'] : [host];
