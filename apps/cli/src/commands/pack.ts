import type { Command } from 'commander';
import { operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { names, withCredentials, withDisplay, withFormats, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/get-each';

const COLUMNS = ['ref', 'name', 'description', 'version', 'author'];

export function definePack(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list packs')).action(async (options: CommonOptions) => {
    const client = await context.client(options);
    await context.printer(options).list(await client.packs.list(), COLUMNS);
  });
  withDisplay(group.command('get').description('show packs'))
    .argument('<ref...>', 'refs or ids of packs')
    .action(async (refs: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'Pack', refs, (ref) => client.packs.get(ref));
      context.exitCode = exitCode;
      if (found.length > 0)
        await context.printer(options).records(found, { first: ['id', 'uid', ...COLUMNS], many: refs.length > 1 });
    });
  withFormats(withCredentials(group.command('register').description('read packs on the disk of the server again')))
    .argument('[ref...]', 'refs of packs; all unless given')
    .option('--types <types>', 'only these kinds of content, such as actions', names)
    .action(async (packs: string[], options: CommonOptions & { types?: string[] }) => {
      const client = await context.client(options);
      const counts = await operation(client.packs.register({ packs, types: options.types ?? [] }));
      await context.printer(options).records([counts], {});
    });
}
