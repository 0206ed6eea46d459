import { Option, type Command } from 'commander';
import { askSecret } from '../forms/line-reader';
import { asOperation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import {
  withCredentials,
  withDisplay,
  withFormats,
  withLast,
  wholeNumberOption,
  type CommonOptions,
} from '../program/common-options';
import { getEach, showPage, tellUser } from '../program/show-records';
import { defineExport, defineLoad } from './key-file';
import { defineRotate } from './key-rotate';

const LIST_COLUMNS = ['name', 'value', 'secret', 'encrypted', 'scope', 'user', 'expire_timestamp'];
const GET_COLUMNS = ['name', 'value', 'secret', 'encrypted', 'scope', 'expire_timestamp'];
const SET_COLUMNS = ['name', 'value', 'scope', 'expire_timestamp'];

export function defineKey(group: Command, context: CommandContext): void {
  defineList(group, context);
  defineGet(group, context);
  defineSet(group, context);
  defineDelete(group, context);
  defineDeleteByPrefix(group, context);
  defineLoad(group, context);
  defineExport(group, context);
  defineRotate(group, context);
}

interface ScopeOptions extends CommonOptions {
  scope: string;
  user?: string;
}

const withScope = (command: Command): Command =>
  command
    .option('-s, --scope <scope>', 'Use this scope: system, or user for your own items', 'system')
    .option('-u, --user <name>', 'Use the items of this user (administrators only)');

interface ListOptions extends ScopeOptions {
  last: number;
  prefix?: string;
  decrypt?: boolean;
}

function defineList(group: Command, context: CommandContext): void {
  withLast(withDisplay(group.command('list').description('List items of the datastore')))
    .option('--prefix <text>', 'Limit to names with this prefix')
    .option('-d, --decrypt', 'Decrypt secret values')
    .option('-s, --scope <scope>', 'Limit to this scope: system, user for your own items, or all', 'all')
    .option('-u, --user <name>', 'Limit to items of this user')
    .action(async ({ last, prefix, decrypt, scope, user, ...options }: ListOptions) => {
      const client = await context.client(options);
      const { items, total } = await client.keys.list({ prefix, decrypt, scope, user, limit: last });
      const printer = context.printer(options);
      // Scripts expect this order.
      await showPage(
        printer,
        { items: printer.format ? items.reverse() : items, total },
        LIST_COLUMNS,
        'key value pair',
      );
    });
}

function defineGet(group: Command, context: CommandContext): void {
  withScope(withDisplay(group.command('get').description('Show items of the datastore')))
    .argument('<name...>', 'names of items')
    .option('-d, --decrypt', 'Decrypt secret values')
    .action(async (names: string[], { decrypt, scope, user, ...options }: ScopeOptions & { decrypt?: boolean }) => {
      const client = await context.client(options);
      const get = (name: string) => client.keys.get(name, { decrypt, scope, user });
      const found = await getEach(context, 'Key Value Pair', names, get);
      if (found.length > 0)
        await context.printer(options).records(found, { columns: GET_COLUMNS, many: names.length > 1 });
    });
}

interface SetOptions extends ScopeOptions {
  encrypt?: boolean;
  encrypted?: boolean;
  ttl?: number;
}

function defineSet(group: Command, context: CommandContext): void {
  withScope(withDisplay(group.command('set').description('Set an item of the datastore')))
    .argument('<name>', 'name of the item')
    .argument('[value]', 'value of the item; if missing, the command prompts for it')
    .addOption(new Option('-e, --encrypt', 'Encrypt the value').conflicts('encrypted'))
    .option('--encrypted', 'Store a value that is already encrypted')
    .option('-l, --ttl <seconds>', 'Remove the item after this time', wholeNumberOption(0))
    .action(async (name: string, given: string | undefined, options: SetOptions) => {
      const { encrypt: secret, encrypted, ttl, scope, user, ...common } = options;
      const value = given ?? (await askSecret(context.terminal, `Value of ${name}: `, 'No value was given.'));
      const client = await context.client(common);
      const item = await asOperation(client.keys.set({ name, value, secret, encrypted, ttl, scope, user }));
      await context.printer(common).records([item], { columns: SET_COLUMNS });
    });
}

function defineDelete(group: Command, context: CommandContext): void {
  withScope(withFormats(withCredentials(group.command('delete').description('Delete an item of the datastore'))))
    .argument('<name>', 'name of the item')
    .action(async (name: string, { scope, user, ...options }: ScopeOptions) => {
      const client = await context.client(options);
      await asOperation(client.keys.delete(name, { scope, user }));
      const sentence = `Resource with id "${name}" has been successfully deleted.`;
      await tellUser(context.printer(options), sentence, { name, deleted: true });
    });
}

function defineDeleteByPrefix(group: Command, context: CommandContext): void {
  withScope(
    withFormats(
      withCredentials(group.command('delete_by_prefix').description('Delete all items whose names have a prefix')),
    ),
  )
    .requiredOption('-p, --prefix <text>', 'Delete names with this prefix')
    .action(async ({ prefix, scope, user, ...options }: ScopeOptions & { prefix: string }) => {
      const client = await context.client(options);
      const found = await client.keys.all({ prefix, scope, user });
      const items = found.filter(({ unreadable }) => unreadable === undefined);
      for (const { name } of items) await asOperation(client.keys.delete(name, { scope, user }));
      const names = items.map(({ name }) => name);
      const sentence = `Deleted ${names.length} keys\nDeleted key ids: ${names.join(', ')}`;
      await tellUser(context.printer(options), sentence, { deleted: names });
    });
}
