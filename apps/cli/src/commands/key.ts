import { Option, type Command } from 'commander';
import { askSecret } from '../credentials/prompt';
import { operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withDisplay, withFormats, wholeNumber, type CommonOptions } from '../program/common-options';
import { getEach, tell } from '../program/get-each';
import { defineExport, defineLoad } from './key-file';

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
}

interface ScopeOptions extends CommonOptions {
  scope: string;
  user?: string;
}

const withScope = (command: Command): Command =>
  command
    .option('-s, --scope <scope>', 'system, or user for own items', 'system')
    .option('-u, --user <name>', 'items of this user, for administrators');

interface ListOptions extends ScopeOptions {
  last: number;
  prefix?: string;
  decrypt?: boolean;
}

function defineList(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list items of the datastore'))
    .option('--prefix <text>', 'only those whose names begin with this')
    .option('-d, --decrypt', 'show secret values in clear')
    .option('-s, --scope <scope>', 'system, user for own items, or all', 'all')
    .option('-u, --user <name>', 'only items of this user')
    .option('-n, --last <count>', 'how many; -1 for all', (text) => (text === '-1' ? -1 : wholeNumber(1)(text)), 50)
    .action(async ({ last, prefix, decrypt, scope, user, ...options }: ListOptions) => {
      const client = await context.client(options);
      const { items, total } = await client.keys.list({ prefix, decrypt, scope, user, limit: last });
      const printer = context.printer(options);
      // Scripts know it in this order.
      await printer.list(printer.format ? items.reverse() : items, LIST_COLUMNS);
      if (!printer.format && total !== undefined && total > items.length) printer.note(moreNote(items.length));
    });
}

const moreNote = (count: number): string =>
  count === 1
    ? 'Note: Only one key value pair is displayed. Use -n/--last flag for more results.'
    : `Note: Only first ${count} key value pairs are displayed. Use -n/--last flag for more results.`;

function defineGet(group: Command, context: CommandContext): void {
  withScope(withDisplay(group.command('get').description('show items of the datastore')))
    .argument('<name...>', 'names of items')
    .option('-d, --decrypt', 'show secret values in clear')
    .action(async (names: string[], { decrypt, scope, user, ...options }: ScopeOptions & { decrypt?: boolean }) => {
      const client = await context.client(options);
      const get = (name: string) => client.keys.get(name, { decrypt, scope, user });
      const { found, exitCode } = await getEach(context, 'Key Value Pair', names, get);
      context.exitCode = exitCode;
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
  withScope(withDisplay(group.command('set').description('write an item of the datastore')))
    .argument('<name>', 'name of the item')
    .argument('[value]', 'its value; asked for unless given')
    .addOption(new Option('-e, --encrypt', 'encrypt the value').conflicts('encrypted'))
    .option('--encrypted', 'the value is encrypted already')
    .option('-l, --ttl <seconds>', 'remove the item after this time', wholeNumber(0))
    .action(async (name: string, given: string | undefined, options: SetOptions) => {
      const { encrypt: secret, encrypted, ttl, scope, user, ...common } = options;
      const value = given ?? (await askSecret(context.terminal, `Value of ${name}: `, 'No value was given.'));
      const client = await context.client(common);
      const item = await operation(client.keys.set({ name, value, secret, encrypted, ttl, scope, user }));
      await context.printer(common).records([item], { columns: SET_COLUMNS });
    });
}

function defineDelete(group: Command, context: CommandContext): void {
  withScope(withFormats(withCredentials(group.command('delete').description('delete an item of the datastore'))))
    .argument('<name>', 'name of the item')
    .action(async (name: string, { scope, user, ...options }: ScopeOptions) => {
      const client = await context.client(options);
      await operation(client.keys.delete(name, { scope, user }));
      const sentence = `Resource with id "${name}" has been successfully deleted.`;
      await tell(context.printer(options), sentence, { name, deleted: true });
    });
}

function defineDeleteByPrefix(group: Command, context: CommandContext): void {
  withScope(withFormats(withCredentials(group.command('delete_by_prefix').description('delete items by their names'))))
    .requiredOption('-p, --prefix <text>', 'all whose names begin with this')
    .action(async ({ prefix, scope, user, ...options }: ScopeOptions & { prefix: string }) => {
      const client = await context.client(options);
      const items = await client.keys.all({ prefix, scope, user });
      for (const { name } of items) await operation(client.keys.delete(name, { scope, user }));
      const names = items.map(({ name }) => name);
      const sentence = `Deleted ${names.length} keys\nDeleted key ids: ${names.join(', ')}`;
      await tell(context.printer(options), sentence, { deleted: names });
    });
}
