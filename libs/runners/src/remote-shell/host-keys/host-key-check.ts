import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fault, messageOf } from '@switchyard/base';
import { keyKind, knownHostName, knownKeys, type KnownKeys } from './known-hosts';

export interface HostKeyOptions {
  readonly mode: 'strict' | 'accept-new' | 'off';
  /** The file of this installation, which receives new keys. */
  readonly ownFile: string;
  /** Files of the user and the machine, read only. */
  readonly otherFiles: readonly string[];
}

/** What is known about a host before connecting. */
export interface HostKeyJudge {
  /** Kinds of known keys. Requesting these first avoids rejecting a host with several keys. */
  readonly kinds: readonly string[];
  /** @throws Fault `ssh.host-key-…` when the key does not belong to the host */
  judge(key: Buffer): Promise<void>;
}

type Warn = (message: string, fields: Record<string, unknown>) => void;

/** Verifies the identity of hosts by their keys. */
export class HostKeyCheck {
  readonly #options: HostKeyOptions;
  /** Keys accepted in this process that could not be saved. */
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

  /** Reads the files for each key, because a user or another connection may have changed them. */
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
    // Serialised, so that a second connection to a new host sees the key accepted by the first.
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
      warn('A new host key could not be saved; it is accepted until this service stops.', {
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

/** The format of ssh-keygen. */
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
