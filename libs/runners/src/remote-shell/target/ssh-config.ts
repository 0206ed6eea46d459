import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { fault } from '@switchyard/base';
import { matchesPatterns } from '../host-keys/known-hosts';

/** The ssh configuration of one host. */
export interface SshConfigEntry {
  readonly hostName?: string;
  readonly user?: string;
  readonly port?: number;
  readonly identityFiles: readonly string[];
  /** `[user@]host[:port]`; the last one is next to the host. */
  readonly jumps: readonly string[];
}

const NOTHING: SshConfigEntry = { identityFiles: [], jumps: [] };

/**
 * Looks up a host in an ssh configuration file. Like ssh, it takes the first matching value of each option. A missing file
 * counts as empty.
 * @throws Fault `ssh.config` for unsupported options that would change the destination of a connection
 */
export async function sshConfigEntry(file: string, host: string): Promise<SshConfigEntry> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (thrown) {
    const { code } = thrown as { code?: string };
    if (code === 'ENOENT') return NOTHING;
    throw fault('ssh.config', { file, reason: `it cannot be read (${String(code)})` }, { cause: thrown });
  }
  return entryFrom(optionsFor(text, host, file), host, file);
}

type Options = ReadonlyMap<string, readonly string[]>;

/** All values of each option in the matching blocks, in order. */
function optionsFor(text: string, host: string, file: string): Options {
  const options = new Map<string, string[]>();
  let applies = true;
  for (const line of text.split('\n')) {
    const [keyword, ...words] = wordsOf(line);
    if (keyword === undefined) continue;
    const name = keyword.toLowerCase();
    if (name === 'host') applies = matchesPatterns(words, host);
    else if (name === 'match') applies = isMatchAll(words, file);
    else if (name === 'include') throw unsupported(file, 'Include');
    else if (applies) options.set(name, [...(options.get(name) ?? []), words.join(' ')]);
  }
  return options;
}

function isMatchAll(words: readonly string[], file: string): boolean {
  if (words.length === 1 && words[0]?.toLowerCase() === 'all') return true;
  throw unsupported(file, 'Match');
}

const unsupported = (file: string, name: string) => fault('ssh.config', { file, reason: `${name} is not supported` });

/** Splits a line into words. The first may be followed by `=`, and quotes keep blanks. */
function wordsOf(line: string): string[] {
  const trimmed = line.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return [];
  const words = trimmed.replace(/^(\w+)\s*=\s*/, '$1 ').match(/"[^"]*"|\S+/g) ?? [];
  return words.map((word) => word.replace(/^"(.*)"$/, '$1'));
}

function entryFrom(options: Options, host: string, file: string): SshConfigEntry {
  const first = (name: string): string | undefined => options.get(name)?.[0];
  const hostName = first('hostname')?.replaceAll('%h', host).replaceAll('%%', '%');
  const user = first('user');
  const port = first('port');
  if (port !== undefined && !/^\d{1,5}$/.test(port))
    throw fault('ssh.config', { file, reason: `"${port}" is not a valid port` });
  return {
    ...(hostName !== undefined && { hostName }),
    ...(user !== undefined && { user }),
    ...(port !== undefined && { port: Number(port) }),
    identityFiles: identityFiles(options, { h: hostName ?? host, r: user ?? '' }),
    jumps: jumps(options, file),
  };
}

function identityFiles(options: Options, tokens: Readonly<Record<string, string>>): string[] {
  const known: Readonly<Record<string, string>> = { ...tokens, d: homedir(), '%': '%' };
  return (options.get('identityfile') ?? [])
    .filter((file) => file !== 'none')
    .map((file) => file.replace(/%(.)/g, (all, token: string) => known[token] ?? all))
    .map((file) => file.replace(/^~(?=\/)/, homedir()));
}

/** A command that only forwards is another way to write a jump host. Others are refused, because a local shell would run them. */
function jumps(options: Options, file: string): string[] {
  const jump = options.get('proxyjump')?.[0];
  if (jump !== undefined) return jump === 'none' ? [] : jump.split(',').map((hop) => hop.trim());
  const command = options.get('proxycommand')?.[0];
  if (command === undefined || command === 'none') return [];
  const forward = /^ssh(?: -q)? -W \[?%h\]?:%p(?: -q)? ([\w.@-]+)$/.exec(command);
  if (forward?.[1] === undefined) throw unsupported(file, 'a ProxyCommand other than "ssh -W %h:%p HOST"');
  return [forward[1]];
}
