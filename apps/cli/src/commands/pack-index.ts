import type { Command } from 'commander';
import { CommandError } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';

const COLUMNS = ['name', 'description', 'version', 'author'];

/** What can be installed. */
export function definePackIndex(group: Command, context: CommandContext): void {
  withDisplay(group.command('search').description('look for packs in the index'))
    .argument('<query...>', 'a text in their names, or anywhere in what the index says about them')
    .action(async (words: string[], options: CommonOptions) => {
      const client = await context.client(options);
      await context.printer(options).list(await client.packs.search(words.join(' ')), COLUMNS);
    });
  withDisplay(group.command('show').description('show what the index says about a pack'))
    .argument('<name>', 'its name in the index')
    .action(async (name: string, options: CommonOptions) => {
      const client = await context.client(options);
      const pack = await client.packs.show(name);
      if (!pack) throw new CommandError(`Pack "${name}" is not found in the index.`);
      await context.printer(options).records([pack], { columns: COLUMNS, first: COLUMNS });
    });
}
