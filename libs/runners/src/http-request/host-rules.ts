import { fault } from '@switchyard/base';
import { maskedUrl } from './url-text';

/** The hosts that requests may go to. */
export interface HostRules {
  /** @throws Fault `runner.http-blacklisted`, `runner.http-not-whitelisted` */
  check(url: URL, asWritten: string): void;
  /** Checks a resolved address of the host in a URL. @throws Fault `runner.http-blacklisted` */
  checkAddress(address: string, url: string): void;
}

/** @throws Fault `runner.http-host-lists` when both lists are given */
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

/** An empty list counts as absent. */
function hostSet(list: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return new Set(list.map((host) => canonicalHost(String(host))));
}

/** Normalises the spelling of a host: letter case, a trailing dot, notations of addresses. */
function canonicalHost(host: string): string {
  const bare = host.trim().replace(/^\[|\]$/g, '');
  try {
    const { hostname } = new URL(`http://${bare.includes(':') ? `[${bare}]` : bare}/`);
    return embeddedIpv4(hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''));
  } catch {
    return bare.toLowerCase();
  }
}

/** IPv6 addresses with an embedded IPv4 address: mapped, compatible and NAT64 (RFC 6052). */
const WITH_IPV4 = /^(?:::ffff:|::|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/;

function embeddedIpv4(host: string): string {
  const [, high = '0', low] = WITH_IPV4.exec(host) ?? [];
  // The IPv6 loopback address is not an embedded IPv4 address.
  if (low === undefined || host === '::1') return host;
  const octets = [high, low].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]);
  return octets.join('.');
}

/** Unspecified addresses lead to this machine. */
const UNSPECIFIED: readonly string[] = ['0.0.0.0', '::'];
const meant = (host: string): readonly string[] =>
  UNSPECIFIED.includes(host) ? [...UNSPECIFIED, '127.0.0.1', '::1', 'localhost'] : [host];
