import { isIPv6 } from 'node:net';
import { fault } from '@switchyard/base';

/** One entry of the parameter `hosts`. */
export interface RemoteHost {
  /** The key in the result: the host, with the port only if another entry has the same host. */
  readonly name: string;
  readonly host: string;
  /** The port given after the host. */
  readonly port?: number;
}

/** Reads a list such as `web1, web2:2222, [fe80::1]:22, ::1`. Ignores duplicates. @throws Fault `ssh.no-hosts`, `ssh.host` */
export function remoteHosts(list: unknown, executionId: string): RemoteHost[] {
  const entries = (typeof list === 'string' ? list : '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0) throw fault('ssh.no-hosts', { id: executionId });
  const hosts = [...new Set(entries)].map(hostAndPort);
  const isTwice = ({ host }: Address) => hosts.filter((other) => other.host === host).length > 1;
  return hosts.map((address) => ({ ...address, name: isTwice(address) ? printed(address) : address.host }));
}

export interface Address {
  readonly host: string;
  readonly port?: number;
}

/** Reads `host`, `host:port`, `[v6]`, `[v6]:port` or a bare IPv6 address. @throws Fault `ssh.host` */
export function hostAndPort(text: string): Address {
  if (isIPv6(text)) return { host: text };
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? '';
  const port = match?.[3] === undefined ? undefined : Number(match[3]);
  const isName = /^[\w.%:-]+$/.test(host) && !host.startsWith('-');
  if (!isName || port === 0 || (port ?? 0) > 65_535) throw fault('ssh.host', { host: text });
  return { host, ...(port !== undefined && { port }) };
}

const printed = ({ host, port }: Address): string => {
  if (port === undefined) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
};
