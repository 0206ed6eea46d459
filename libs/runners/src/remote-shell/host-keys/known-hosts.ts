import { createHmac } from 'node:crypto';

/** The keys of one host in a known-hosts file. */
export interface KnownKeys {
  /** In base64. */
  readonly trusted: readonly string[];
  readonly revoked: readonly string[];
}

/** The name of a host in known-hosts files, with the port unless it is 22. */
export const knownHostName = (host: string, port: number): string =>
  port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;

/** Looks up a host in the text of a known-hosts file (sshd(8)). Ignores certificate authorities. */
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

/** Reads the kind of a key from its encoding. */
export function keyKind(key: Buffer): string {
  return key.length < 4 ? '' : key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1');
}

/** Whether a host matches a list of patterns with `*` and `?`. A pattern after `!` excludes hosts. */
export function matchesPatterns(patterns: readonly string[], host: string): boolean {
  const name = host.toLowerCase();
  const matching = patterns.filter((pattern) => matches(pattern.replace(/^!/, ''), name));
  return matching.length > 0 && !matching.some((pattern) => pattern.startsWith('!'));
}

function matches(pattern: string, name: string): boolean {
  const source = pattern
    .toLowerCase()
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(name);
}
