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
    .option('-p, --password <password>', 'Log in with this password instead of prompting for it')
    .option('-l, --ttl <seconds>', 'Set how long the token is valid', wholeNumberOption(1));

/** Logs in with a password or an existing token, and remembers the login. */
export function defineLogin(command: Command, context: CommandContext): void {
  withFormats(withPassword(command))
    .argument('[user]', 'name of the user; with --token or --sso, only this user is accepted')
    .option('-t, --token <token>', 'Remember this token instead of requesting one with a password')
    .option('-w, --write-password', 'Write the password to the configuration file, to log in again automatically')
    .option('--sso', 'Log in with the identity provider of the server, in a browser on this computer')
    .option('--device', 'Log in with --sso and a browser on any computer')
    .option('--no-browser', 'Show the address for --sso without opening a browser')
    .action(async (user: string | undefined, options: LoginOptions) => {
      const granted = await loggedIn(context, user, options);
      const { configPath, cacheToken, apiKey } = context.settings();
      cacheOf(context.terminal, context.settings()).write(granted.user, granted.token, granted.expiry);
      const password = options.writePassword ? granted.password : undefined;
      editConfigFile(configPath, 'credentials', { username: granted.user, password });
      const printer = context.printer(options);
      const expiry = granted.expiry.toISOString();
      const sentence = `Logged in as "${granted.user}" until ${readableTime(expiry, context.settings().timezone)}.`;
      await tellUser(printer, sentence, { user: granted.user, expiry });
      if (context.settings().token !== undefined) printer.note(OVERRIDDEN);
      else if (apiKey !== undefined) printer.note(`Note: commands fail while ${apiKey.from} has an API key.`);
      if (!cacheToken) printer.note(NOT_CACHED);
    });
}

interface LoginOptions extends PasswordOptions, DisplayOptions {
  token?: string;
  writePassword?: boolean;
  sso?: boolean;
  device?: boolean;
  /** False with --no-browser. */
  browser: boolean;
}

const OVERRIDDEN = 'Note: the token in the environment takes precedence over this login.';
const NOT_CACHED = 'Note: the token will not be used because the configuration has cache_token = false.';

interface Granted {
  user: string;
  token: string;
  expiry: Date;
  password?: string;
}

async function loggedIn(context: CommandContext, user: string | undefined, options: LoginOptions): Promise<Granted> {
  const { sso, device, browser, token, password, writePassword } = options;
  if (sso) {
    const others = [token, password, writePassword].filter((given) => given !== undefined);
    if (others.length > 0) throw usageError('Give --sso without --token, --password and --write-password.');
    return bySingleSignOn(context, user, options);
  }
  if (device || !browser) throw usageError('--device and --no-browser are for --sso only.');
  return token === undefined ? byPassword(context, user, options) : byToken(context, user, token);
}

async function bySingleSignOn(
  context: CommandContext,
  user: string | undefined,
  { device = false, browser, ttl }: LoginOptions,
): Promise<Granted> {
  const { terminal } = context;
  const settings = context.settings();
  const { terminalLogin } = await import('../credentials/terminal-login.js');
  const client = openClient(terminal, settings);
  const { token, user: name, expiry } = await terminalLogin({ client, terminal, device, browser, ttlSeconds: ttl });
  if (user !== undefined && user !== name) {
    await giveUp(openClient(terminal, settings, token));
    throw new CommandError(`The user who logged in with the browser is "${name}", not "${user}".`);
  }
  return { user: name, token, expiry: new Date(expiry) };
}

async function byPassword(
  context: CommandContext,
  user: string | undefined,
  options: PasswordOptions,
): Promise<Granted> {
  if (user === undefined) throw usageError('Specify the user: svc login USER.');
  const password = options.password ?? (await askSecret(context.terminal, `Password of ${user}: `));
  const client = openClient(context.terminal, context.settings());
  const { token, user: name, expiry } = await client.tokens.create({ user, password }, { ttlSeconds: options.ttl });
  return { user: name, token, expiry: new Date(expiry), password };
}

async function byToken(context: CommandContext, user: string | undefined, token: string): Promise<Granted> {
  const current = await openClient(context.terminal, context.settings(), token).user();
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
    if (token !== undefined) await giveUp(openClient(context.terminal, settings, token));
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
      await printer.records([token], { columns: ['user', 'token', 'expiry'], rawTimes: true });
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
