import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fault, messageOf } from '@switchyard/base';
import { keyKind, knownHostName, knownKeys, type KnownKeys } from './known-hosts';

export interface HostKeyOptions {
  readonly mode: 'strict' | 'accept-new' | 'off';
  /** The file of this installation, to which new keys are added. */
  readonly ownFile: string;
  /** Files of the user and the machine, which are only read. */
  readonly otherFiles: readonly string[];
}

/** What is known about a host before a connection to it. */
export interface HostKeyJudge {
  /** The kinds of keys that are known: asking for one of these first spares a host with several keys a refusal. */
  readonly kinds: readonly string[];
  /** @throws Fault `ssh.host-key-…` when this is not the key of that host */
  judge(key: Buffer): Promise<void>;
}

type Warn = (message: string, fields: Record<string, unknown>) => void;

/** Decides whether a host is the one that it was before. */
export class HostKeyCheck {
  readonly #options: HostKeyOptions;
  /** Accepted in this process, and not written down because that failed. */
  readonly #accepted = new Map<string, string>();
  #writing: Promise<void> = Promise.resolve();

  constructor(options: HostKeyOptions) {
    this.#options = options;
  }

  async judgeOf(host: string, port: number, warn: Warn): Promise<HostKeyJudge> {
    if (this.#options.mode === 'off') return { kinds: [], judge: () => Promise.resolve() };
    const name = knownHostName(host, port);
    const { trusted } = await this.#known(name);
    return {
      kinds: [...new Set(trusted.map((key) => keyKind(Buffer.from(key, 'base64'))))],
      judge: (key) => this.#judge(name, key, warn),
    };
  }

  /** Read again for each key: somebody may just have corrected a file, or another connection accepted the key. */
  async #judge(name: string, key: Buffer, warn: Warn): Promise<void> {
    const text = key.toString('base64');
    const facts = { host: name, fingerprint: fingerprint(key), kind: keyKind(key) };
    const isKnown = async (): Promise<boolean> => {
      const { trusted, revoked } = await this.#known(name);
      if (revoked.includes(text)) throw fault('ssh.host-key-revoked', facts);
      if (trusted.includes(text)) return true;
      if (trusted.length > 0) throw fault('ssh.host-key-changed', { ...facts, file: this.#options.ownFile });
      return false;
    };
    if (await isKnown()) return;
    if (this.#options.mode === 'strict') throw fault('ssh.host-key-unknown', { ...facts, file: this.#options.ownFile });
    // One after the other: of two connections to a new host the second has to see what the first one has accepted.
    const accepted = this.#writing.then(async () => (await isKnown()) || this.#accept(name, facts.kind, text, warn));
    this.#writing = accepted.then(
      () => undefined,
      () => undefined,
    );
    await accepted;
  }

  async #accept(name: string, kind: string, key: string, warn: Warn): Promise<boolean> {
    const { ownFile } = this.#options;
    try {
      await mkdir(dirname(ownFile), { recursive: true, mode: 0o700 });
      await appendFile(ownFile, `${name} ${kind} ${key}\n`, { mode: 0o600 });
    } catch (thrown) {
      this.#accepted.set(name, key);
      warn('A new host key could not be written down; it is known until this service stops.', {
        host: name,
        file: ownFile,
        reason: messageOf(thrown),
      });
    }
    return true;
  }

  async #known(name: string): Promise<KnownKeys> {
    const { ownFile, otherFiles } = this.#options;
    const texts = await Promise.all([ownFile, ...otherFiles].map(textOf));
    const found = texts.map((text) => knownKeys(text, name));
    const accepted = this.#accepted.get(name);
    const trusted = found.flatMap((keys) => keys.trusted);
    const isForgotten = accepted === undefined || trusted.length > 0;
    return { trusted: isForgotten ? trusted : [accepted], revoked: found.flatMap((keys) => keys.revoked) };
  }
}

/** As ssh-keygen prints it. */
const fingerprint = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (['ENOENT', 'ENOTDIR'].includes((thrown as { code?: string }).code ?? '')) return '';
    throw fault('ssh.known-hosts', { file, reason: messageOf(thrown) }, { cause: thrown });
  }
}
