import { isNotFound, type ActionAlias, type ActionAliases } from '@switchyard/client';
import type { Command } from 'commander';
import { usageError } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import {
  withCredentials,
  withDisplay,
  withFormats,
  withPack,
  withRunDisplay,
  wholeNumberOption,
  type CommonOptions,
} from '../program/common-options';
import { withExecutionDisplay } from '../program/execution-options';
import { attributesFor } from '../program/show-records';
import { defineResource, defineSwitch, type ResourceKind } from '../program/resource-commands';
import type { SayOptions, TestOptions } from './action-alias-run';

const aliases: ResourceKind<ActionAlias> = {
  title: 'Action Alias',
  one: 'an action alias',
  many: 'action aliases',
  by: { name: 'ref', one: 'ref, id or name', many: 'refs, ids or names' },
  first: ['id', 'name', 'pack', 'description'],
  of: ({ actionAliases }) => ({
    ...actionAliases,
    get: (named) => find(actionAliases, named),
    async delete(named) {
      await actionAliases.delete((await find(actionAliases, named)).id);
    },
  }),
};

/** Finds an alias by reference or id, or by a name that only one alias has. */
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
  withPack(withDisplay(group.command('list').description('List action aliases'))).action(
    async ({ pack, ...options }: CommonOptions & { pack?: string }) => {
      const client = await context.client(options);
      const include = attributesFor(options.attr, COLUMNS);
      await context.printer(options).list(await client.actionAliases.list({ filters: { pack }, include }), COLUMNS);
    },
  );
  defineResource(group, context, aliases);
  defineSwitch(group, context, aliases, async (client, ref, enabled) => {
    const alias = await aliases.of(client).get(ref);
    return client.actionAliases.update(alias.id, { ...alias, enabled });
  });
  defineMatch(group, context);
  defineAliasExecute(group, context);
  defineAliasTest(group, context);
}

function defineMatch(group: Command, context: CommandContext): void {
  withDisplay(group.command('match').description('Show the action alias that matches a command'))
    .argument('<text...>', 'chat command')
    .action(async (words: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { actionalias } = await client.actionAliases.match(words.join(' '));
      await context.printer(options).list([actionalias], ['name', 'description']);
    });
}

function defineAliasExecute(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('execute').description('Run the action alias that matches a command')))
    .argument('<text...>', 'chat command')
    .option('-u, --user <name>', 'Send the command as this user (default: you)')
    .action(async (words: string[], options: SayOptions) => {
      const { executeAlias } = await import('./action-alias-run.js');
      await executeAlias(context, words, options);
    });
}

function defineAliasTest(group: Command, context: CommandContext): void {
  withExecutionDisplay(withRunDisplay(group.command('test').description('Run an action alias and show what a chat bot would post'))) // oxfmt-ignore
    .argument('<text...>', 'chat command')
    .option('-u, --user <name>', 'Send the command as this user (default: you)')
    .option('-a, --async', 'Do not wait for the end')
    .option('--tail', 'Show the output while it runs')
    .option('--delay <ms>', 'Start after this delay', wholeNumberOption(0))
    .option('--auto-dict', 'Has no effect: the server parses the parameters of a command')
    .action(async (words: string[], options: TestOptions) => {
      const { testAlias } = await import('./action-alias-run.js');
      await testAlias(context, words, options);
    });
}
