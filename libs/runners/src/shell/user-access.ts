import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { startProcess } from '@switchyard/subprocess';
import { SECOND_MS } from '@switchyard/base';

export interface ServiceUser {
  readonly name: string;
  readonly isRoot: boolean;
}

type Warn = (message: string, fields: Record<string, unknown>) => void;

/**
 * Which user commands can run as. Asked once for each user and process: `sudo` may be absent, the user may not exist,
 * or this service may not be allowed to become that user. Then commands run as the service's own user, and one warning
 * says so.
 */
export class UserAccess {
  readonly #answers = new Map<string, Promise<boolean>>();

  constructor(
    readonly current: ServiceUser = currentUser(),
    readonly sudo: string = findProgram('sudo') ?? 'sudo',
    readonly bash: string | undefined = findProgram('bash'),
  ) {}

  /** Whether commands can run as another user without a password. */
  canBecome(user: string, warn: Warn): Promise<boolean> {
    const known = this.#answers.get(user) ?? this.#ask(user, warn);
    this.#answers.set(user, known);
    return known;
  }

  async #ask(user: string, warn: Warn): Promise<boolean> {
    const args = ['-n', '-E', '-H', '-u', user, '--', 'true'];
    const answer = await startProcess({ command: { file: this.sudo, args }, timeoutMs: 10 * SECOND_MS, graceMs: 0 })
      .result;
    if (answer.exitCode === 0) return true;
    const reason = answer.spawnError?.message ?? answer.stderr.text.trim();
    warn('Commands cannot run as the system user; they run as the user of this service.', {
      systemUser: user,
      serviceUser: this.current.name,
      reason,
    });
    return false;
  }
}

function currentUser(): ServiceUser {
  const uid = process.getuid?.();
  try {
    return { name: userInfo().username, isRoot: uid === 0 };
  } catch {
    // Containers may run under a number that no user has.
    return { name: String(uid), isRoot: uid === 0 };
  }
}

/** Not by PATH: an action that sets its own PATH must not decide which `sudo` gets the password. */
const findProgram = (name: string): string | undefined =>
  ['/usr/bin', '/bin', '/usr/local/bin', '/run/wrappers/bin']
    .map((folder) => `${folder}/${name}`)
    .find((path) => existsSync(path));
