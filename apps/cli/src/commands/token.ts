import type { Command } from 'commander';
import { asOperation, usageError } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withDisplay, withFormats, type CommonOptions } from '../program/common-options';
import { tellUser } from '../program/show-records';
import { expiry } from './api-key-limits';

const COLUMNS = ['id', 'user', 'created_at', 'expiry', 'service', 'service_name', 'role', 'address', 'client'];

interface TokenOptions extends CommonOptions {
  user?: string;
}

/** Tokens that were issued: logins, and those of running actions and sensors. */
export function defineToken(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('List your tokens that have not expired'))
    .option('-u, --user <name>', 'List the tokens of this user instead (administrators only)')
    .action(async ({ user, ...options }: TokenOptions) => {
      const { tokens } = await context.client(options);
      await context.printer(options).list(await tokens.list(user), COLUMNS);
    });
  defineCreate(group, context);
  defineRevoke(group, context);
}

interface CreateOptions extends CommonOptions {
  service: string;
  role: string;
  expires?: string;
}

/** A token for scripts and schedules. It is printed once. */
function defineCreate(group: Command, context: CommandContext): void {
  withDisplay(group.command('create').description('Create a token for unattended use, and print it once'))
    .requiredOption('--service <name>', 'Name of the service that uses it, for the list of tokens')
    .requiredOption('--role <name>', 'Permit only what both this role and your own permissions allow')
    .option('--expires <time>', 'Expire at this time, such as 2030-01-31 (default: in a year)', expiry)
    .action(async ({ service, role, expires, ...options }: CreateOptions) => {
      const { tokens } = await context.client(options);
      const made = await asOperation(tokens.createUnattended({ service, role, expires_at: expires }));
      const printer = context.printer(options);
      await printer.records([made], { columns: ['id', 'user', 'token', 'expiry'] });
      printer.note('Keep the token: it cannot be shown again. Use it in SVC_AUTH_TOKEN.');
    });
}

function defineRevoke(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('revoke').description('Revoke a token, or all tokens of a user')))
    .argument('[id]', 'id of the token, as "token list" shows it')
    .option('--all', 'Revoke all of your tokens, including the one in use and those of running actions')
    .option('-u, --user <name>', 'With --all: revoke the tokens of this user instead (administrators only)')
    .action(async (id: string | undefined, { all, user, ...options }: TokenOptions & { all?: true }) => {
      if ((id === undefined) === (all === undefined)) throw usageError('Either the id of a token or --all.');
      if (user !== undefined && !all) throw usageError('--user needs --all.');
      // The value may be the token itself, which must not be part of a URL.
      if (id !== undefined && !/^[0-9a-f]{24}$/.test(id)) {
        throw usageError('Expected the id of a token, which has 24 hexadecimal digits: svc token list.');
      }
      const { tokens } = await context.client(options);
      const printer = context.printer(options);
      if (id !== undefined) {
        await asOperation(tokens.revoke(id));
        return tellUser(printer, `Revoked the token ${id}.`, { id, revoked: 1 });
      }
      const revoked = await asOperation(tokens.revokeAll(user));
      await tellUser(printer, `Revoked ${revoked} tokens.`, { ...(user === undefined ? {} : { user }), revoked });
    });
}
