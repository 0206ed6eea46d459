import { isNotFound, type ActionAlias, type ActionAliases, type Client } from '@switchyard/client';
import type { Command } from 'commander';
import { operation, usageError } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { attributesFor } from '../program/list-pages';
import { defineResource, type ResourceKind } from '../program/resource-commands';
import { defineAliasExecute, defineAliasTest } from './action-alias-run';

const aliases: ResourceKind<ActionAlias> = {
  title: 'Action Alias',
  noun: 'action alias',
  first: ['id', 'name', 'pack', 'description'],
  of: ({ actionAliases }) => ({
    ...actionAliases,
    get: (named) => find(actionAliases, named),
    async delete(named) {
      await actionAliases.delete((await find(actionAliases, named)).id);
    },
  }),
};

/** By reference or id, or by a name that only one alias has. */
async function find(resources: ActionAliases, named: string): Promise<ActionAlias> {
  try {
    return await resources.get(named);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const [first, ...others] = await resources.list({ filters: { name: named } });
    if (!first) throw error;
    if (others.length === 0) return first;
    const refs = [first, ...others].map(({ ref }) => ref).join(', ');
    throw usageError(`Several action aliases have the name "${named}": ${refs}.`);
  }
}

const COLUMNS = ['ref', 'pack', 'description', 'enabled'];

export function defineActionAlias(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list action aliases'))
    .option('-p, --pack <pack>', 'only of this pack')
    .action(async ({ pack, ...options }: CommonOptions & { pack?: string }) => {
      const client = await context.client(options);
      const include = attributesFor(options.attr, COLUMNS);
      await context.printer(options).list(await client.actionAliases.list({ filters: { pack }, include }), COLUMNS);
    });
  defineResource(group, context, aliases);
  defineSwitch(group, context, 'enable', true);
  defineSwitch(group, context, 'disable', false);
  defineMatch(group, context);
  defineAliasExecute(group, context);
  defineAliasTest(group, context);
}

function defineSwitch(group: Command, context: CommandContext, verb: string, enabled: boolean): void {
  withDisplay(group.command(verb).description(`${verb} an action alias`))
    .argument('<ref>', 'ref, id or name of the action alias')
    .action(async (ref: string, options: CommonOptions) => {
      const client: Client = await context.client(options);
      const alias = await operation(aliases.of(client).get(ref));
      const changed = await operation(client.actionAliases.update(alias.id, { ...alias, enabled }));
      await context.printer(options).records([changed], { first: aliases.first });
    });
}

function defineMatch(group: Command, context: CommandContext): void {
  withDisplay(group.command('match').description('show the action alias that a command is for'))
    .argument('<text...>', 'the command')
    .action(async (words: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { actionalias } = await client.actionAliases.match(words.join(' '));
      await context.printer(options).list([actionalias], ['name', 'description']);
    });
}
