import { createHmac } from 'node:crypto';
import { matchesPatterns } from './host-pattern';

/** What a file of known hosts says about one host. */
export interface KnownKeys {
  /** In base64. */
  readonly trusted: readonly string[];
  readonly revoked: readonly string[];
}

/** How known hosts are named: with the port unless that is the usual one. */
export const knownHostName = (host: string, port: number): string =>
  port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;

/** Looks a host up in the text of a file in the form of sshd(8). Certificate authorities are none of a key's business. */
export function knownKeys(text: string, name: string): KnownKeys {
  const found = text
    .split('\n')
    .map(knownHostLine)
    .filter((line) => line !== undefined && names(line.hosts, name));
  const keysOf = (mark: string | undefined) =>
    found.filter((line) => line?.mark === mark).map((line) => line?.key ?? '');
  return { trusted: keysOf(undefined), revoked: keysOf('@revoked') };
}

interface KnownHostLine {
  readonly mark: string | undefined;
  readonly hosts: string;
  readonly key: string;
}

function knownHostLine(line: string): KnownHostLine | undefined {
  const words = line.trim().split(/\s+/);
  const mark = words[0]?.startsWith('@') === true ? words.shift() : undefined;
  const [hosts = '', , key] = words;
  return hosts.startsWith('#') || key === undefined ? undefined : { mark, hosts, key };
}

function names(hosts: string, name: string): boolean {
  const [, version, salt, hash] = hosts.split('|');
  if (!hosts.startsWith('|')) return matchesPatterns(hosts.split(','), name);
  if (version !== '1' || salt === undefined) return false;
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
}

/** The kind of a key, out of its own encoding. */
export function keyKind(key: Buffer): string {
  return key.length < 4 ? '' : key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1');
}
