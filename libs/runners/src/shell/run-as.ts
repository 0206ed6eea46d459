import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { SECOND_MS } from '@switchyard/base';
import { startProcess, type Elevation, type ProcessCommand } from '@switchyard/subprocess';
import type { RunAbilities, RunnerSettings } from '../runner-plugin';

/** Who a command runs as: the service's own user, root, or the system user. */
type RunsAs = { readonly kind: 'self'; readonly shell: string } | { readonly kind: 'other'; readonly user?: string };

/** What a request says about the user. */
interface AboutUser {
  readonly sudo: boolean;
  readonly sudoPassword?: string;
}

/**
 * Decides which user a command runs as. If the system user is not the service's user, commands are written for bash, so bash
 * also runs them when the service cannot switch to that user. Otherwise `/bin/sh` runs them.
 */
export async function runsAs(
  settings: AboutUser,
  { systemUser, environment }: Pick<RunnerSettings, 'systemUser' | 'environment'>,
  access: UserAccess,
  warn: RunAbilities['logger']['warn'],
): Promise<RunsAs> {
  const self = { kind: 'self', shell: access.bash ?? '/bin/sh' } as const;
  if (settings.sudo) return access.current.isRoot ? self : { kind: 'other' };
  if (systemUser === '' || systemUser === access.current.name) return { kind: 'self', shell: '/bin/sh' };
  const isAllowed = await access.canBecome(systemUser, {
    hasPassword: settings.sudoPassword !== undefined,
    environment,
    warn,
  });
  return isAllowed ? { kind: 'other', user: systemUser } : self;
}

/** Shell code with the values of its `$0`, `$1`, … */
export interface ShellText {
  readonly script: string;
  readonly args?: readonly string[];
}

/** How to run shell code: the command line, a password for it, and how to signal its processes. */
interface ShellCommand {
  readonly command: ProcessCommand;
  readonly stdin?: string;
  readonly elevation?: Elevation;
}

/** Builds the command line. Nothing in it needs quoting, because it is not passed to a shell. */
export function shellCommand(text: ShellText, as: RunsAs, sudo: string, password?: string): ShellCommand {
  if (as.kind === 'self') return { command: { ...text, shell: as.shell } };
  // The empty prompt keeps sudo's password prompt out of standard error.
  const ask = password === undefined ? [] : ['-S', '-p', ''];
  const become = as.user === undefined ? [] : ['-H', '-u', as.user];
  const line = ['--', 'bash', '-c', text.script, ...(text.args ?? [])];
  return {
    command: { file: sudo, args: [...ask, '-E', ...become, ...line] },
    ...(password !== undefined && { stdin: `${password}\n` }),
    elevation: elevation(as.user, sudo, password),
  };
}

function elevation(user: string | undefined, sudo: string, password: string | undefined): Elevation {
  const become = user === undefined ? [] : ['-u', user];
  if (password === undefined) return { command: [sudo, '-n', ...become, '--'] };
  return { command: [sudo, '-S', '-p', '', ...become, '--'], input: `${password}\n` };
}

export interface ServiceUser {
  readonly name: string;
  readonly isRoot: boolean;
}

interface Asking {
  readonly hasPassword: boolean;
  /** The environment of the service, for sudo itself. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly warn: RunAbilities['logger']['warn'];
}

/** `no`: a password does not help either, because sudo or the user does not exist. */
type Answer = 'freely' | 'not-without-password' | 'no';

/**
 * Which user commands can run as. Asked once for each user and process: `sudo` may be absent, the user may not exist,
 * or this service may not be allowed to become that user. Then commands run as the service's own user, and one warning
 * says so.
 */
export class UserAccess {
  readonly #answers = new Map<string, Promise<{ answer: Answer; reason: string }>>();
  readonly #warned = new Set<string>();

  constructor(
    readonly current: ServiceUser = currentUser(),
    readonly sudo: string = findProgram('sudo') ?? '/usr/bin/sudo',
    readonly bash: string | undefined = findProgram('bash'),
  ) {}

  /** Whether commands can run as another user, as far as is known without trying a password. */
  async canBecome(user: string, { hasPassword, environment, warn }: Asking): Promise<boolean> {
    const asked = this.#answers.get(user) ?? this.#ask(user, environment);
    this.#answers.set(user, asked);
    const { answer, reason } = await asked;
    if (answer === 'freely' || (answer === 'not-without-password' && hasPassword)) return true;
    if (!this.#warned.has(user)) this.#warnOf(user, reason, warn);
    return false;
  }

  #warnOf(user: string, reason: string, warn: Asking['warn']): void {
    this.#warned.add(user);
    warn('Commands cannot run as the system user; they run as the user of this service.', {
      systemUser: user,
      serviceUser: this.current.name,
      reason,
    });
  }

  async #ask(user: string, environment: Asking['environment']): Promise<{ answer: Answer; reason: string }> {
    const args = ['-n', '-E', '-H', '-u', user, '--', 'true'];
    const { exitCode, spawnError, stderr } = await startProcess({
      command: { file: this.sudo, args },
      env: { ...environment, LC_ALL: 'C' },
      timeoutMs: 10 * SECOND_MS,
      graceMs: 0,
    }).result;
    const reason = spawnError?.message ?? stderr.text.trim();
    if (exitCode === 0) return { answer: 'freely', reason };
    return { answer: spawnError || UNKNOWN_USER.test(reason) ? 'no' : 'not-without-password', reason };
  }
}

/** In English, because sudo runs with LC_ALL=C. */
const UNKNOWN_USER = /unknown user/;

function currentUser(): ServiceUser {
  const uid = process.getuid?.();
  try {
    return { name: userInfo().username, isRoot: uid === 0 };
  } catch {
    // Containers may run under a uid without a user name.
    return { name: String(uid), isRoot: uid === 0 };
  }
}

/** Ignores PATH: an action must not choose which `sudo` receives the password. */
const findProgram = (name: string): string | undefined =>
  ['/usr/bin', '/bin', '/usr/local/bin', '/run/wrappers/bin']
    .map((folder) => `${folder}/${name}`)
    .find((path) => existsSync(path));
