import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fault, SECOND_MS, messageOf } from '@switchyard/base';
import type { Client, ConnectConfig, ServerHostKeyAlgorithm } from 'ssh2';
import type { HostKeyCheck, HostKeyJudge } from '../host-keys/host-key-check';
import { ssh2 } from '../ssh2';
import type { SshTarget } from '../target/ssh-target';
import { authentication } from './authentication';

export interface DialOptions {
  readonly hostKeys: HostKeyCheck;
  readonly connectTimeoutMs: number;
}

/** Receives warnings. */
export type Warn = (message: string, fields: Record<string, unknown>) => void;

/** Overloaded servers drop some connections before the handshake, so these are retried. */
const ATTEMPTS = 4;
const PAUSE_MS = 250;

/**
 * Connects and authenticates.
 * @param through opens a stream through a jump host, once for each attempt
 * @throws Fault `ssh.connect`, `ssh.key`, `ssh.host-key-…`
 */
export async function dial(
  target: SshTarget,
  { hostKeys, connectTimeoutMs }: DialOptions,
  warn: Warn,
  through?: () => Promise<Duplex>,
): Promise<Client> {
  for (let attempt = 1; ; attempt++) {
    const call = new Call(target, await hostKeys.judgeOf(target.host, target.port, warn));
    try {
      return await call.connect(connectTimeoutMs, await through?.());
    } catch (thrown) {
      if (!call.wasCutOff || attempt === ATTEMPTS) throw thrown;
      await delay(PAUSE_MS * attempt);
    }
  }
}

const KEEP_ALIVE = { keepaliveInterval: 15 * SECOND_MS, keepaliveCountMax: 4 };

/** One connection attempt. */
class Call {
  readonly #client: Client = new (ssh2().Client)();
  readonly #target: SshTarget;
  readonly #judge: HostKeyJudge;
  #refusal: Error | undefined;
  /** Whether the server closed the connection before the handshake. */
  wasCutOff = false;

  constructor(target: SshTarget, judge: HostKeyJudge) {
    this.#target = target;
    this.#judge = judge;
  }

  async connect(readyTimeout: number, sock: Duplex | undefined): Promise<Client> {
    const { host, port, user } = this.#target;
    try {
      // Parses the keys, and may throw, before connecting.
      const authHandler = authentication(this.#target);
      const config = { host, port, username: user, authHandler, readyTimeout, ...KEEP_ALIVE, ...this.#hostKey() };
      await this.#ready({ ...config, ...(sock !== undefined && { sock }) });
    } catch (thrown) {
      sock?.destroy();
      this.#client.destroy();
      if (this.#refusal !== undefined) throw this.#refusal;
      throw fault('ssh.connect', { host, port, user, reason: reasonOf(thrown) }, { cause: thrown });
    }
    this.#client.setNoDelay(true);
    // From now on, channels and `close` listeners notice the end of the connection.
    this.#client.on('error', () => undefined);
    return this.#client;
  }

  #ready(config: ConnectConfig): Promise<void> {
    const client = this.#client;
    return new Promise((resolve, reject) => {
      let isAgreed = false;
      client.once('ready', resolve);
      client.once('handshake', () => void (isAgreed = true));
      client.on('error', (error: Error & { code?: string }) => {
        this.wasCutOff ||= !isAgreed && (error.code === 'ECONNRESET' || /before handshake/.test(error.message));
        reject(error);
      });
      client.once('close', () => reject(new Error('the connection was closed')));
      client.once('change password', () => reject(new Error('the password has expired')));
      client.connect(config);
    });
  }

  #hostKey(): Partial<ConnectConfig> {
    return {
      ...algorithms(this.#judge.kinds),
      hostVerifier: (key: Buffer, answer: (isRight: boolean) => void) => {
        this.#judge.judge(key).then(
          () => answer(true),
          (refusal: Error) => {
            this.#refusal = refusal;
            answer(false);
          },
        );
      },
    };
  }
}

const BY_KIND: Readonly<Record<string, readonly ServerHostKeyAlgorithm[]>> = {
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'],
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
};

/** Without known keys, the library's order applies. */
function algorithms(kinds: readonly string[]): Partial<ConnectConfig> {
  const known = kinds.flatMap((kind) => BY_KIND[kind] ?? []);
  if (known.length === 0) return {};
  const serverHostKey = [...new Set([...known, ...Object.values(BY_KIND).flat()])];
  return { algorithms: { serverHostKey } };
}

/** The reason of a connection failure. A host with several addresses has one reason for each. */
export function reasonOf(thrown: unknown): string {
  const { errors } = thrown as { errors?: unknown };
  return Array.isArray(errors) && errors.length > 0 ? errors.map(messageOf).join('; ') : messageOf(thrown);
}
