import { isPlainObject } from '@switchyard/base';
import type { ApiKeyToLoad } from '@switchyard/client';
import { InvalidArgumentError, type Command } from 'commander';
import { CommandError, asOperation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { type CommonOptions, withCredentials, withDisplay, withFormats } from '../program/common-options';
import { readResourceList } from '../program/resource-file';
import { defineGet, defineSwitch, tellDeleted } from '../program/resource-commands';
import { givenLimits, limitsOfOptions, withLimits, type LimitOptions } from './api-key-limits';

const COLUMNS = ['id', 'user', 'metadata', 'role', 'expires_at', 'last_used_at'];

const LIMITS = ['role', 'permission_grants', 'allowed_addresses', 'expires_at', 'last_used_at'];

const texts = {
  title: 'API key',
  one: 'an API key',
  many: 'API keys',
  by: { name: 'key', one: 'id (or the key itself)', many: 'ids (or the keys themselves)' },
  first: ['id', 'uid', 'key', 'key_hash', 'user', 'enabled', 'metadata', 'created_at', ...LIMITS],
};

export function defineApiKey(group: Command, context: CommandContext): void {
  defineList(group, context);
  defineGet(group, context, texts, (client, id) => client.apiKeys.get(id), shownId);
  defineCreate(group, context);
  defineDelete(group, context);
  defineSwitch(group, context, texts, async ({ apiKeys }, id, enabled) =>
    apiKeys.setEnabled(await apiKeys.get(id), enabled),
  );
  defineLoad(group, context);
}

interface ListOptions extends CommonOptions {
  user?: string;
  detail?: boolean;
  showSecrets?: boolean;
}

function defineList(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('List API keys'))
    .option('-u, --user <name>', 'Limit to this user')
    .option('-d, --detail', 'Show all attributes')
    .option('--show-secrets', 'Show the hashes of the keys')
    .action(async ({ user, showSecrets, detail, ...options }: ListOptions) => {
      const client = await context.client(options);
      const keys = await client.apiKeys.list({ user, showSecrets });
      await context.printer(detail ? { attr: ['all'], ...options } : options).list(keys, COLUMNS);
    });
}

interface CreateOptions extends CommonOptions, LimitOptions {
  user?: string;
  metadata?: Record<string, unknown>;
  onlyKey?: boolean;
}

function defineCreate(group: Command, context: CommandContext): void {
  withLimits(withDisplay(group.command('create').description('Create an API key, which is shown only once')))
    .option('-u, --user <name>', 'Create it for this user instead of yourself')
    .option('-m, --metadata <json>', 'Store this JSON object with the key', metadata)
    .option('-k, --only-key', 'Print only the key')
    .action(async ({ user, metadata: facts, onlyKey, ...options }: CreateOptions) => {
      const client = await context.client(options);
      const created = await asOperation(client.apiKeys.create({ user, metadata: facts, ...limitsOfOptions(options) }));
      const printer = context.printer(options);
      if (!onlyKey) return printer.records([created], { first: texts.first });
      if (created.key === null) throw new CommandError('The server did not return the key.');
      printer.line(created.key);
    });
}

function metadata(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (isPlainObject(value)) return value;
  throw new InvalidArgumentError('Expected a JSON object, such as {"used_by": "backup"}.');
}

function defineDelete(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('delete').description('Delete an API key')))
    .argument('<key>', 'id of the key, or the key itself')
    .action(async (id: string, options: CommonOptions) => {
      const client = await context.client(options);
      await asOperation(client.apiKeys.delete(id));
      await tellDeleted(context, options, shownId(id));
    });
}

/** The key itself is never shown. */
const shownId = (idOrKey: string): string => (/^[0-9a-f]{24}$/.test(idOrKey) ? idOrKey : '********');

/** `svc apikey load`: reads what `svc apikey list -dj --show-secrets` prints. */
function defineLoad(group: Command, context: CommandContext): void {
  withDisplay(group.command('load').description('Load API keys from a JSON or YAML file; the keys stay valid'))
    .argument('<file>', 'one key or a list of keys: user, key_hash, id, metadata, enabled, and limits')
    .action(async (file: string, options: CommonOptions) => {
      // All keys are checked before the first one is written.
      const keys = (await readResourceList(file)).map(apiKeyOf);
      const client = await context.client(options);
      const written: object[] = [];
      for (const key of keys) written.push(await asOperation(client.apiKeys.load(key)));
      await context.printer(options).list(written, COLUMNS);
    });
}

function apiKeyOf(item: unknown): ApiKeyToLoad {
  if (!isPlainObject(item)) throw new CommandError(`Each API key must be an object, got ${JSON.stringify(item)}.`);
  const { id, user, key_hash, metadata = {}, enabled = false } = item;
  if (typeof user !== 'string') throw new CommandError(`An API key needs a "user", a string.`);
  if (typeof key_hash !== 'string') throw new CommandError(`The API key of "${user}" needs a "key_hash", a string.`);
  if (!isPlainObject(metadata)) throw new CommandError(`"metadata" of the API key of "${user}" must be an object.`);
  if (typeof enabled !== 'boolean') throw new CommandError(`"enabled" of the API key of "${user}" must be a boolean.`);
  if (id !== undefined && typeof id !== 'string')
    throw new CommandError(`"id" of the API key of "${user}" must be a string.`);
  return { user, key_hash, metadata, enabled, ...givenLimits(item), ...(id === undefined ? {} : { id }) };
}
