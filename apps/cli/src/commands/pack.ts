import { Option, type Command } from 'commander';
import { asOperation, CommandError } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { names, withCredentials, withDisplay, withFormats, type CommonOptions } from '../program/common-options';
import { defineGet } from '../program/resource-commands';
import { tellUser } from '../program/show-records';
import type { InstallOptions, PackWorkOptions } from './pack-install';
import { checkPacks, registerAndSetUp, setUpOnServer, type CheckOptions, type RegisterOptions } from './pack-setup';
import { definePackTest } from './pack-test';

const COLUMNS = ['ref', 'name', 'description', 'version', 'author'];

const GET_COLUMNS = ['name', 'version', 'author', 'email', 'keywords', 'description'];

const texts = { title: 'Pack', one: 'a pack', many: 'packs', first: GET_COLUMNS, columns: GET_COLUMNS };

export function definePack(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('List packs')).action(async (options: CommonOptions) => {
    const client = await context.client(options);
    await context.printer(options).list(await client.packs.list(), COLUMNS);
  });
  defineGet(group, context, texts, (client, ref) => client.packs.get(ref));
  defineIndex(group, context);
  defineInstallation(group, context);
  defineRegistration(group, context);
  defineConfig(group, context);
  definePackTest(group, context);
}

const INDEX_COLUMNS = ['name', 'description', 'version', 'author'];

function defineIndex(group: Command, context: CommandContext): void {
  withDisplay(group.command('search').description('Search for packs in the index'))
    .argument('<query...>', 'text in the name or in any attribute of a pack')
    .action(async (words: string[], options: CommonOptions) => {
      const client = await context.client(options);
      await context.printer(options).list(await client.packs.search(words.join(' ')), INDEX_COLUMNS);
    });
  withDisplay(group.command('show').description('Show the entry of a pack in the index'))
    .argument('<name>', 'name of the pack in the index')
    .action(async (name: string, options: CommonOptions) => {
      const client = await context.client(options);
      const pack = await client.packs.show(name);
      if (!pack) throw new CommandError(`Pack "${name}" is not found in the index.`);
      await context.printer(options).records([pack], { columns: INDEX_COLUMNS, first: INDEX_COLUMNS });
    });
}

function defineInstallation(group: Command, context: CommandContext): void {
  withDisplay(group.command('install').description('Install packs and their dependencies'))
    .argument(
      '<pack...>',
      'name in the index, owner/repository, address or file:///directory; each may end in =version',
    )
    .option('--force', 'Replace a pack even if its directory is a link')
    .option('--skip-dependencies', 'Do not install the dependencies of the packs')
    .option('--tail', 'Show the output while it runs, such as that of pip')
    .addOption(new Option('-d, --detail', 'Show all attributes of the packs').conflicts('attr'))
    .action(async (packs: string[], options: InstallOptions) => {
      const { installPacks } = await import('./pack-install.js');
      await installPacks(context, packs, options, COLUMNS);
    });
  withDisplay(group.command('remove').description('Remove packs with their registered content and their files'))
    .argument('<ref...>', 'refs of packs')
    .addOption(new Option('-d, --detail', 'Show all attributes of the packs').conflicts('attr'))
    .action(async (refs: string[], options: PackWorkOptions) => {
      const { removePacks } = await import('./pack-install.js');
      await removePacks(context, refs, options, COLUMNS);
    });
}

function defineRegistration(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('register').description('Register packs from the disk of the server')))
    .argument('[ref...]', 'refs of packs (default: all)')
    .option('--types <types>', 'Limit to these kinds of content, such as actions', names)
    .option('--fail-on-failure', 'Register nothing if any file is invalid')
    .option('--setup-virtualenvs', 'Also create or update the virtual environments of the packs')
    .option('--recreate-virtualenvs', 'Also rebuild the virtual environments of the packs')
    .action((refs: string[], options: RegisterOptions) => registerAndSetUp(context, refs, options));
  withDisplay(
    group
      .command('check')
      .description(
        'Report errors and warnings in packs on the disk of the server, in a directory, or in a configuration',
      ),
  )
    .argument('[ref...]', 'refs of packs (default: all)')
    .option('-p, --pack-path <directory>', 'Check the pack in this directory of this machine, without a server')
    .option('--config-path <file>', 'Check this file with the configuration of a pack, without a server')
    .option('--schema-path <file>', 'The schema for --config-path, such as config.schema.yaml of the pack')
    .action((refs: string[], options: CheckOptions) => checkPacks(context, refs, options));
  withDisplay(group.command('setup').description('Create the virtual environments of packs and install their requirements')) // oxfmt-ignore
    .argument('<ref...>', 'refs of packs')
    .option('--recreate', 'Rebuild them even if nothing has changed, which installs newer versions of the requirements')
    .action((refs: string[], options: CommonOptions & { recreate?: true }) => setUpOnServer(context, refs, options));
}

function defineConfig(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('config').description('Ask for the configuration of a pack and save it')))
    .argument('<ref>', 'ref of the pack')
    .action(async (pack: string, options: CommonOptions) => {
      const { askConfiguration } = await import('../forms/ask-configuration.js');
      const { configs } = await context.client(options);
      const { attributes } = await configs.schema(pack);
      const before = (await configs.find(pack))?.values ?? {};
      const values = await askConfiguration(context.terminal, pack, attributes, before);
      const saved = await asOperation(configs.put(pack, values));
      await tellUser(context.printer(options), `Saved the configuration of the pack "${pack}".`, { ...saved });
    });
}
