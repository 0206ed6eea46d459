import type { Elevation, ProcessCommand } from '@switchyard/subprocess';
import type { RunnerSettings } from '../runner-plugin';
import type { ShellSettings } from './shell-parameters';
import type { Asking, UserAccess } from './user-access';

/** A text for a shell, with the values of its `$0`, `$1`, … */
export interface ShellText {
  readonly script: string;
  readonly args?: readonly string[];
}

/** How a text is run: the command line, a password for it, and how its processes can be signalled. */
export interface ShellCommand {
  readonly command: ProcessCommand;
  readonly stdin?: string;
  readonly elevation?: Elevation;
}

/** Who a command runs as: the service's own user, root, or the system user. */
export type RunsAs =
  { readonly kind: 'self'; readonly shell: string } | { readonly kind: 'other'; readonly user?: string };

/**
 * Decides whom a command runs as. With the system user being somebody else, commands are written for bash, because
 * that is what runs them there; so it also runs them where this service cannot become that user. The system user's own
 * service runs them by `/bin/sh`.
 */
export async function runsAs(
  settings: ShellSettings,
  { systemUser, environment }: Pick<RunnerSettings, 'systemUser' | 'environment'>,
  access: UserAccess,
  warn: Asking['warn'],
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

/** The command line for a text. Nothing of it, the password least of all, is in need of quoting. */
export function shellCommand(text: ShellText, as: RunsAs, sudo: string, password?: string): ShellCommand {
  if (as.kind === 'self') return { command: { ...text, shell: as.shell } };
  // The empty prompt keeps the question for the password out of the standard error output.
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
