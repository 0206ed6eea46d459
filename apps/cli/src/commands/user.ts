import type { Command } from 'commander';
import type { DisplayOptions } from '../output/printer';
import type { CommandContext } from '../program/command-context';
import { withColumns, withCredentials, withFormats } from '../program/common-options';
import type { GivenCredentials } from '../credentials/session';
import type { ServiceFiles } from '../settings/service-config';

export interface UserOptions extends DisplayOptions, ServiceFiles, GivenCredentials {
  file?: string;
  revokeTokens?: true;
}

/** Work on the password file of the backend `flat_file`, on this machine. */
export function defineUser(group: Command, context: CommandContext): void {
  withColumns(withFile(group.command('list').description('List the users of the password file'))).action(
    async (_options: unknown, command: Command) => {
      const { listUsers } = await import('./user-run.js');
      await listUsers(command.optsWithGlobals<UserOptions>(), context);
    },
  );
  for (const { verb, description, locksOut = false } of CHANGES) {
    const command = withFile(group.command(verb).description(description));
    if (locksOut) {
      withCredentials(command)
        .option('--revoke-tokens', 'Then revoke all tokens of the user, through the API as an administrator')
        .addHelpText(
          'after',
          'For --revoke-tokens, give the address of the API with --api-url and --auth-url or the environment.',
        );
    }
    command.argument('<user>', 'name of the user').action(async (user: string, _options: unknown, command: Command) => {
      const { changeUser } = await import('./user-run.js');
      await changeUser({ verb, locksOut }, user, command.optsWithGlobals<UserOptions>(), context);
    });
  }
}

export interface UserChange {
  readonly verb: 'create' | 'set-password' | 'delete' | 'disable' | 'enable';
  /** Whether the change keeps the user from logging in as before. Issued tokens stay valid. */
  readonly locksOut?: boolean;
}

const CHANGES: readonly (UserChange & { readonly description: string })[] = [
  { verb: 'create', description: 'Add a user, with a password from a prompt or the first line of the input' },
  { verb: 'set-password', description: 'Replace the password of a user', locksOut: true },
  {
    verb: 'delete',
    description: 'Remove a user from the file; tokens stay valid until they are revoked',
    locksOut: true,
  },
  { verb: 'disable', description: 'Refuse logins of a user, and keep the password', locksOut: true },
  { verb: 'enable', description: 'Accept logins of a user again' },
];

const withFile = (command: Command): Command =>
  withFormats(command)
    .option('--file <path>', 'Use this password file instead of the configured one')
    .option('--data-dir <directory>', 'Use the password file in this data directory')
    .addHelpText('after', '\nHere --config-file names the configuration file of the services.');
