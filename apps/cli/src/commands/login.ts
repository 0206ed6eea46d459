import type { Command } from 'commander';
import { ApiError, type Client, type CurrentUser } from '@switchyard/client';
import { askSecret } from '../forms/line-reader';
import { CommandError, asOperation, usageError } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withFormats, wholeNumberOption, type CommonOptions } from '../program/common-options';
import type { DisplayOptions } from '../output/printer';
import { readableTime } from '../output/plain-value';
import { tellUser } from '../program/show-records';
import { cacheOf, openClient } from '../credentials/session';
import { editConfigFile } from '../settings/config-file';

interface PasswordOptions {
  password?: string;
  ttl?: number;
}

const withPassword = (command: Command): Command =>
  command
    .option('-p, --password <password>', 'Log in with this password instead of asking for it')
    .option('-l, --ttl <seconds>', 'Set how long the token is valid', wholeNumberOption(1));

/** Logs in with a password or an existing token, and remembers the login. */
export function defineLogin(command: Command, context: CommandContext): void {
  withFormats(withPassword(command))
    .argument('[user]', 'name of the user; not needed with --token')
    .option('-t, --token <token>', 'Remember this token instead of requesting one with a password')
    .option('-w, --write-password', 'Write the password to the configuration file, to log in again automatically')
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
      await tellUser(printer, sentence, { user: granted.user, expiry });
      if (apiKey !== undefined || context.settings().token !== undefined) printer.note(OVERRIDDEN);
      if (!cacheToken) printer.note(NOT_CACHED);
    });
}

interface LoginOptions extends PasswordOptions, DisplayOptions {
  token?: string;
  writePassword?: boolean;
}

const OVERRIDDEN =
  'Note: a token or API key in the environment or configuration file takes precedence over this login.';
const NOT_CACHED = 'Note: the token will not be used because the configuration has cache_token = false.';

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
  if (user === undefined) throw usageError('Name the user: svc login USER.');
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
  if (expiry === undefined) throw new CommandError('The server does not report when the token expires.');
  return { user: current.username, token, expiry: new Date(expiry) };
}

/** Revokes the token and forgets user and password. */
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
    await tellUser(context.printer(options), `Logged out "${user}".`, { user, logged_out: true });
  });
}

/** Revokes the token. Ignores an unknown token and a server without this call. */
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
    .option('-t, --only-token', 'Print only the token')
    .action(async (user: string, options: PasswordOptions & CommonOptions & { onlyToken?: boolean }) => {
      const password = options.password ?? (await askSecret(context.terminal, `Password of ${user}: `));
      const client = openClient(context.terminal, context.settings());
      const token = await asOperation(client.tokens.create({ user, password }, { ttlSeconds: options.ttl }));
      const printer = context.printer(options);
      if (options.onlyToken) return printer.line(token.token);
      await printer.records([token], { columns: ['id', 'user', 'token', 'expiry'] });
    });
}

export function defineWhoami(command: Command, context: CommandContext): void {
  withFormats(withCredentials(command)).action(async (options: CommonOptions) => {
    const client = await context.client(options);
    const user = await client.user();
    await tellUser(context.printer(options), whoamiText(user), { ...user });
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
