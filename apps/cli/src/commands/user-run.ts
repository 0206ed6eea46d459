import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defaultPasswordFile } from '@switchyard/assembly/accounts';
import { messageOf } from '@switchyard/base';
import { paths, type Config } from '@switchyard/config';
import {
  canBeHashed,
  changePasswordFile,
  hashKind,
  hashPassword,
  passwordLine,
  readPasswordLines,
  type PasswordLine,
} from '@switchyard/identity';
import type { UserChange, UserOptions } from './user';
import { CommandError, usageError } from '../exit-codes';
import { askSecret, withLineReader } from '../forms/line-reader';
import type { CommandContext } from '../program/command-context';
import { tellUser } from '../program/show-records';
import { serviceConfig } from '../settings/service-config';
import type { Terminal } from '../terminal';

const COLUMNS = ['user', 'enabled', 'hash'];

/** `svc user list`: names, and the kinds of their hashes. */
export async function listUsers(options: UserOptions, context: CommandContext): Promise<void> {
  const path = passwordFileOf(options, context.terminal);
  if (!existsSync(path)) throw new CommandError(`There is no password file at ${path}.`);
  const users = (await linesOf(path)).flatMap(({ user, hash = '', disabled = false }) =>
    user === undefined || user === '' ? [] : [{ user, enabled: !disabled, hash: hashKind(hash) ?? 'unsupported' }],
  );
  await context.printer(options).list(users, COLUMNS);
}

type UserVerb = UserChange['verb'];

const DONE: Readonly<Record<UserVerb, string>> = {
  create: 'Created',
  'set-password': 'Changed the password of',
  delete: 'Deleted',
  disable: 'Disabled',
  enable: 'Enabled',
};

/** Changes one line of the password file. Running services read it again at the next login. */
export async function changeUser(
  { verb, locksOut }: UserChange,
  user: string,
  options: UserOptions,
  context: CommandContext,
): Promise<void> {
  if (verb === 'create') checkName(user);
  const path = passwordFileOf(options, context.terminal);
  // Checked before the user types a password.
  checkPresence(verb, user, path, await linesOf(path));
  const takesPassword = verb === 'create' || verb === 'set-password';
  const hash = takesPassword ? await hashPassword(await newPassword(user, context.terminal)) : undefined;
  await changePasswordFile(path, (lines) => {
    checkPresence(verb, user, path, lines);
    return changed(lines, verb, user, hash);
  });
  const printer = context.printer(options);
  await tellUser(printer, `${DONE[verb]} "${user}" in ${path}.`, { user, file: path, done: verb });
  if (!locksOut) return;
  if (options.revokeTokens) return revokeTokens(user, options, context);
  printer.note(`Tokens of "${user}" stay valid. To revoke them: svc token revoke --all --user ${user}`);
}

/** Through the API, because a running system may be the only one that can open its store. Nobody can log in meanwhile. */
async function revokeTokens(user: string, options: UserOptions, context: CommandContext): Promise<void> {
  try {
    const { tokens } = await context.client(options);
    const revoked = await tokens.revokeAll(user);
    context.printer(options).note(`Revoked ${revoked} tokens of "${user}".`);
  } catch (error) {
    const command = `svc token revoke --all --user ${user}`;
    const text = `The tokens of "${user}" could not be revoked, so they stay valid: ${messageOf(error)} To try again: ${command}`;
    throw new CommandError(text, undefined, { cause: error });
  }
}

function passwordFileOf({ file, ...options }: UserOptions, terminal: Terminal): string {
  if (file !== undefined) return resolve(file);
  const config = serviceConfig(options, terminal);
  const { mode, backend } = config.auth;
  const configured = configuredPasswordFile(config);
  if (configured !== undefined) return configured;
  const found = mode === 'proxy' ? 'auth.mode = proxy' : `auth.backend = ${backend}`;
  throw new CommandError(`Only the backend flat_file keeps users in a password file, but ${found}. See --file.`);
}

/** The password file of the services; undefined if they have none. */
export function configuredPasswordFile(config: Config): string | undefined {
  const { mode, backend, backend_kwargs: given } = config.auth;
  if (mode === 'proxy' || backend !== 'flat_file') return undefined;
  const configured = given?.['file_path'];
  return typeof configured === 'string' ? resolve(configured) : defaultPasswordFile(paths(config).base);
}

async function linesOf(path: string): Promise<PasswordLine[]> {
  if (!existsSync(path)) return [];
  try {
    return readPasswordLines(await readFile(path, 'utf8'));
  } catch (error) {
    throw new CommandError(`Cannot read the password file: ${messageOf(error)}`, undefined, { cause: error });
  }
}

function checkPresence(verb: UserVerb, user: string, path: string, lines: readonly PasswordLine[]): void {
  const isThere = user !== '' && lines.some((line) => line.user === user);
  if (verb === 'create' && isThere) throw new CommandError(`The user "${user}" exists already in ${path}.`);
  if (verb !== 'create' && !isThere) throw new CommandError(`There is no user "${user}" in ${path}.`);
}

function changed(
  lines: readonly PasswordLine[],
  verb: UserVerb,
  user: string,
  hash: string | undefined,
): readonly PasswordLine[] {
  if (verb === 'create') return [...lines, passwordLine(user, hash as string)];
  if (verb === 'delete') return lines.filter((line) => line.user !== user);
  return lines.map((line) => {
    if (line.user !== user) return line;
    const disabled = verb === 'set-password' ? line.disabled : verb === 'disable';
    return passwordLine(user, hash ?? line.hash ?? '', disabled);
  });
}

const LONGEST_NAME = 1024;

function checkName(user: string): void {
  const isValid = /^[^\s:#\x00-\x1f\x7f]([^:\x00-\x1f\x7f]*[^\s:\x00-\x1f\x7f])?$/.test(user);
  if (isValid && user.length <= LONGEST_NAME) return;
  throw usageError(
    `Expected a name without colons and control characters, with at most ${LONGEST_NAME} characters, that does not start ` +
      `with # and has no spaces at its ends, got ${JSON.stringify(user.slice(0, 100))}.`,
  );
}

/** Prompts twice on a terminal, because the typed password is hidden. */
async function newPassword(user: string, terminal: Terminal): Promise<string> {
  const question = `New password of ${user}: `;
  const password = terminal.stdin.isTTY
    ? await withLineReader(terminal, async (reader) => {
        const first = await reader.ask(question, true);
        if ((await reader.ask('Repeat the password: ', true)) !== first)
          throw new CommandError('The two passwords differ.');
        return first;
      })
    : await askSecret(terminal, question);
  if (password === '') throw usageError('The password is empty.');
  if (!canBeHashed(password))
    throw usageError('The password is longer than 72 bytes, which is all that bcrypt hashes.');
  return password;
}
