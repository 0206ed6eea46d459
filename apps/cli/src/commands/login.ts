import type { Command } from 'commander';
import { ApiError, type Client, type CurrentUser } from '@switchyard/client';
import { askSecret } from '../credentials/prompt';
import { CommandError, operation, usageError } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withFormats, wholeNumber, type CommonOptions } from '../program/common-options';
import type { DisplayOptions } from '../output/printer';
import { readableTime } from '../output/timestamps';
import { tell } from '../program/get-each';
import { cacheOf, openClient } from '../session';
import { editConfigFile } from '../settings/edit-config-file';

interface PasswordOptions {
  password?: string;
  ttl?: number;
}

const withPassword = (command: Command): Command =>
  command
    .option('-p, --password <password>', 'password; asked for when not given')
    .option('-l, --ttl <seconds>', 'for how long the token is good', wholeNumber(1));

/** Remembers who is logged in, by password or by a token that exists already. */
export function defineLogin(command: Command, context: CommandContext): void {
  withFormats(withPassword(command))
    .argument('[user]', 'name of the user; not needed with --token')
    .option('-t, --token <token>', 'remember this token instead of getting one for a password')
    .option('-w, --write-password', 'write the password to the configuration file, to log in again by itself')
    .action(async (user: string | undefined, options: LoginOptions) => {
      const granted =
        options.token === undefined
          ? await byPassword(context, user, options)
          : await byToken(context, user, options.token);
      const { configPath, cacheToken, apiKey } = context.settings();
      cacheOf(context.terminal, context.settings()).write(granted.user, granted.token, granted.expiry);
      const password = options.writePassword ? granted.password : undefined;
      editConfigFile(configPath, 'credentials', { username: granted.user, password });
      const printer = context.printer(options);
      const expiry = granted.expiry.toISOString();
      const sentence = `Logged in as "${granted.user}" until ${readableTime(expiry, context.settings().timezone)}.`;
      await tell(printer, sentence, { user: granted.user, expiry });
      if (apiKey !== undefined || context.settings().token !== undefined) printer.note(OVERRIDDEN);
      if (!cacheToken) printer.note(NOT_CACHED);
    });
}

interface LoginOptions extends PasswordOptions, DisplayOptions {
  token?: string;
  writePassword?: boolean;
}

const OVERRIDDEN = 'Note: a token or API key in the environment or configuration file is used before this login.';
const NOT_CACHED = 'Note: the configuration says cache_token = false, so that the token will not be used.';

interface Granted {
  user: string;
  token: string;
  expiry: Date;
  password?: string;
}

async function byPassword(
  context: CommandContext,
  user: string | undefined,
  options: PasswordOptions,
): Promise<Granted> {
  if (user === undefined) throw usageError('Say who logs in: svc login USER.');
  const password = options.password ?? (await askSecret(context.terminal, `Password of ${user}: `));
  const client = openClient(context.terminal, context.settings());
  const { token, user: name, expiry } = await client.tokens.create({ user, password }, { ttlSeconds: options.ttl });
  return { user: name, token, expiry: new Date(expiry), password };
}

async function byToken(context: CommandContext, user: string | undefined, token: string): Promise<Granted> {
  const current = await openClient(context.terminal, context.settings(), { token }).user();
  if (user !== undefined && user !== current.username) {
    throw new CommandError(`The token belongs to "${current.username}", not to "${user}".`);
  }
  const expiry = current.authentication.token_expire;
  if (expiry === undefined) throw new CommandError('The server does not say until when the token is good.');
  return { user: current.username, token, expiry: new Date(expiry) };
}

/** Gives up the token and forgets user and password. */
export function defineLogout(command: Command, context: CommandContext): void {
  withFormats(command).action(async (options: DisplayOptions) => {
    const settings = context.settings();
    const user = settings.login?.user;
    if (user === undefined) throw new CommandError('Nobody is logged in.');
    const cache = cacheOf(context.terminal, settings);
    const token = cache.read(user);
    cache.drop(user);
    editConfigFile(settings.configPath, 'credentials', { username: undefined, password: undefined });
    if (token !== undefined) await giveUp(openClient(context.terminal, settings, { token }));
    await tell(context.printer(options), `Logged out "${user}".`, { user, logged_out: true });
  });
}

/** A token that is not known any more, and a server without this call, are as good as a token that was given up. */
async function giveUp(client: Client): Promise<void> {
  try {
    await client.tokens.revokeOwn();
  } catch (error) {
    if (!(error instanceof ApiError) || ![401, 404, 405].includes(error.status)) throw error;
  }
}

/** Prints a token without remembering it. */
export function defineAuth(command: Command, context: CommandContext): void {
  withFormats(withPassword(command))
    .argument('<user>', 'name of the user')
    .option('-t, --only-token', 'print the token and nothing else')
    .action(async (user: string, options: PasswordOptions & CommonOptions & { onlyToken?: boolean }) => {
      const password = options.password ?? (await askSecret(context.terminal, `Password of ${user}: `));
      const client = openClient(context.terminal, context.settings());
      const token = await operation(client.tokens.create({ user, password }, { ttlSeconds: options.ttl }));
      const printer = context.printer(options);
      if (options.onlyToken) return printer.line(token.token);
      await printer.records([token], { columns: ['id', 'user', 'token', 'expiry'] });
    });
}

export function defineWhoami(command: Command, context: CommandContext): void {
  withFormats(withCredentials(command)).action(async (options: CommonOptions) => {
    const client = await context.client(options);
    const user = await client.user();
    await tell(context.printer(options), whoamiText(user), { ...user });
  });
}

function whoamiText({ username, authentication, rbac }: CurrentUser): string {
  const expiry = authentication.token_expire;
  return [
    `Currently logged in as "${username}".`,
    '',
    `Authentication method: ${authentication.method}`,
    ...(expiry === undefined ? [] : [`Authentication token expire time: ${expiry}`]),
    '',
    'RBAC:',
    ` - Enabled: ${rbac.enabled ? 'True' : 'False'}`,
    ` - Roles: ${rbac.roles.join(', ')}`.trimEnd(),
  ].join('\n');
}
