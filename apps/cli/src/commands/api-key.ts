import { isPlainObject } from '@switchyard/base';
import { InvalidArgumentError, type Command } from 'commander';
import { CommandError, operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withDisplay, withFormats, type CommonOptions } from '../program/common-options';
import { getEach, tell } from '../program/get-each';
import { defineApiKeyLoad } from './api-key-file';

const COLUMNS = ['id', 'user', 'metadata'];
const FIRST = ['id', 'uid', 'key', 'key_hash', 'user', 'enabled', 'metadata', 'created_at'];

export function defineApiKey(group: Command, context: CommandContext): void {
  defineList(group, context);
  defineGet(group, context);
  defineCreate(group, context);
  defineDelete(group, context);
  defineSwitch(group, context, 'enable', true);
  defineSwitch(group, context, 'disable', false);
  defineApiKeyLoad(group, context, COLUMNS);
}

interface ListOptions extends CommonOptions {
  user?: string;
  detail?: boolean;
  showSecrets?: boolean;
}

function defineList(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list API keys'))
    .option('-u, --user <name>', 'only of this user')
    .option('-d, --detail', 'show all attributes')
    .option('--show-secrets', 'show the hashes of the keys')
    .action(async ({ user, showSecrets, detail, ...options }: ListOptions) => {
      const client = await context.client(options);
      const keys = await client.apiKeys.list({ user, showSecrets });
      await context.printer(detail ? { attr: ['all'], ...options } : options).list(keys, COLUMNS);
    });
}

function defineGet(group: Command, context: CommandContext): void {
  withDisplay(group.command('get').description('show API keys'))
    .argument('<key...>', 'ids of keys, or the keys themselves')
    .action(async (ids: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'API key', ids, (id) => client.apiKeys.get(id), shownId);
      context.exitCode = exitCode;
      if (found.length > 0) await context.printer(options).records(found, { first: FIRST, many: ids.length > 1 });
    });
}

interface CreateOptions extends CommonOptions {
  user?: string;
  metadata?: Record<string, unknown>;
  onlyKey?: boolean;
}

function defineCreate(group: Command, context: CommandContext): void {
  withDisplay(group.command('create').description('create an API key; it is shown this once'))
    .option('-u, --user <name>', 'for this user instead of oneself')
    .option('-m, --metadata <json>', 'an object that is kept with the key', metadata)
    .option('-k, --only-key', 'print the key and nothing else')
    .action(async ({ user, metadata: facts, onlyKey, ...options }: CreateOptions) => {
      const client = await context.client(options);
      const created = await operation(client.apiKeys.create({ user, metadata: facts }));
      const printer = context.printer(options);
      if (!onlyKey) return printer.records([created], { first: FIRST });
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
  throw new InvalidArgumentError('An object in JSON is expected, such as {"used_by": "backup"}.');
}

function defineDelete(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('delete').description('delete an API key')))
    .argument('<key>', 'id of the key, or the key itself')
    .action(async (id: string, options: CommonOptions) => {
      const client = await context.client(options);
      await operation(client.apiKeys.delete(id));
      const shown = shownId(id);
      const sentence = `Resource with id "${shown}" has been successfully deleted.`;
      await tell(context.printer(options), sentence, { id: shown, deleted: true });
    });
}

/** A key itself is not repeated on the screen. */
const shownId = (idOrKey: string): string => (/^[0-9a-f]{24}$/.test(idOrKey) ? idOrKey : '********');

function defineSwitch(group: Command, context: CommandContext, verb: string, enabled: boolean): void {
  withDisplay(group.command(verb).description(`${verb} an API key`))
    .argument('<key>', 'id of the key, or the key itself')
    .action(async (id: string, options: CommonOptions) => {
      const client = await context.client(options);
      const key = await operation(client.apiKeys.get(id));
      const changed = await operation(client.apiKeys.setEnabled(key, enabled));
      await context.printer(options).records([changed], { first: FIRST });
    });
}
