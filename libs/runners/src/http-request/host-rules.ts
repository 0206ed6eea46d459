import { fault } from '@switchyard/base';
import { maskedUrl } from './url-text';

/** Which hosts requests may go to. */
export interface HostRules {
  /** @throws Fault `runner.http-blacklisted`, `runner.http-not-whitelisted` */
  check(url: URL, asWritten: string): void;
}

/** @throws Fault `runner.http-host-lists` when there are both lists */
export function hostRules(blacklist: unknown, whitelist: unknown): HostRules {
  const refused = hostSet(blacklist);
  const allowed = hostSet(whitelist);
  if (refused && allowed) throw fault('runner.http-host-lists');
  return {
    check(url, asWritten) {
      const host = canonicalHost(url.hostname);
      if (refused?.has(host)) throw fault('runner.http-blacklisted', { url: maskedUrl(asWritten) });
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
    return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  } catch {
    return bare.toLowerCase();
  }
}
