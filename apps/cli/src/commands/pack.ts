import type { Command } from 'commander';
import { operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { names, withCredentials, withDisplay, withFormats, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/get-each';
import { defineConfig } from './pack-config';
import { definePackIndex } from './pack-index';
import { defineInstall } from './pack-install';
import { defineRemove } from './pack-remove';
import { setUpPacks } from './pack-setup';
import { PACK_COLUMNS } from './pack-work';

export function definePack(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list packs')).action(async (options: CommonOptions) => {
    const client = await context.client(options);
    await context.printer(options).list(await client.packs.list(), PACK_COLUMNS);
  });
  withDisplay(group.command('get').description('show packs'))
    .argument('<ref...>', 'refs or ids of packs')
    .action(async (refs: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'Pack', refs, (ref) => client.packs.get(ref));
      context.exitCode = exitCode;
      if (found.length > 0)
        await context.printer(options).records(found, { first: ['id', 'uid', ...PACK_COLUMNS], many: refs.length > 1 });
    });
  definePackIndex(group, context);
  defineInstall(group, context);
  defineRemove(group, context);
  defineRegister(group, context);
  defineSetup(group, context);
  defineConfig(group, context);
}

interface RegisterOptions extends CommonOptions {
  types?: string[];
  setupVirtualenvs?: true;
  recreateVirtualenvs?: true;
}

function defineRegister(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('register').description('read packs on the disk of the server again')))
    .argument('[ref...]', 'refs of packs; all unless given')
    .option('--types <types>', 'only these kinds of content, such as actions', names)
    .option('--setup-virtualenvs', 'also give the packs their virtual environments, unless they are up to date')
    .option('--recreate-virtualenvs', 'also make their virtual environments anew')
    .action(async (packs: string[], options: RegisterOptions) => {
      const { types = [], setupVirtualenvs, recreateVirtualenvs: recreate = false } = options;
      const client = await context.client(options);
      const counts = await operation(client.packs.register({ packs, types }));
      if (!setupVirtualenvs && !recreate) return context.printer(options).records([counts], {});
      const refs = packs.length > 0 ? packs : (await client.packs.list()).map(({ ref }) => ref);
      const done = await setUpPacks(context, client, refs, { recreate });
      const virtualenvs = done.filter(({ virtualenv }) => virtualenv === 'ready').length;
      await context.printer(options).records([{ ...counts, virtualenvs }], {});
    });
}

function defineSetup(group: Command, context: CommandContext): void {
  withDisplay(group.command('setup').description('give packs their virtual environments, with what they require'))
    .argument('<ref...>', 'refs of packs')
    .option('--recreate', 'even if nothing has changed: that fetches newer versions of what they require')
    .action(async (refs: string[], options: CommonOptions & { recreate?: true }) => {
      const client = await context.client(options);
      const done = await setUpPacks(context, client, refs, { recreate: options.recreate === true });
      await context.printer(options).list(done, ['pack', 'virtualenv']);
    });
}
