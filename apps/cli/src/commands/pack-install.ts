import { isPlainObject } from '@switchyard/base';
import { ApiError, type Client, type IndexedPack } from '@switchyard/client';
import type { Command } from 'commander';
import { operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay } from '../program/common-options';
import { followPackWork, showPacks, type PackWorkOptions } from './pack-work';

interface InstallOptions extends PackWorkOptions {
  readonly force?: true;
  readonly skipDependencies?: true;
}

export function defineInstall(group: Command, context: CommandContext): void {
  withDisplay(group.command('install').description('fetch packs and what they depend on, set them up, register them'))
    .argument(
      '<pack...>',
      'name in the index, owner/repository, address or file:///directory; each may end in =version',
    )
    .option('--force', 'replace a pack even where its directory is a link')
    .option('--skip-dependencies', 'not the packs that these depend on')
    .option('-d, --detail', 'show all attributes of the packs')
    .action((packs: string[], options: InstallOptions) => install(context, packs, options));
}

async function install(context: CommandContext, packs: readonly string[], options: InstallOptions): Promise<void> {
  const { json, yaml, force = false, skipDependencies = false } = options;
  const client = await context.client(options);
  if (!json && !yaml) await announce(context, client, packs);
  const id = await operation(client.packs.install({ packs, force, skipDependencies }));
  const ended = await followPackWork(context, client, id, options);
  if (!ended) return;
  const output = isPlainObject(ended.result) && isPlainObject(ended.result['output']) ? ended.result['output'] : {};
  const installed = await Promise.all(texts(output['packs_list']).map((ref) => client.packs.get(ref)));
  await showPacks(context, installed, options, { many: installed.length !== 1 });
  for (const warning of texts(output['warning_list'])) context.terminal.stderr.write(`WARNING: ${warning}\n`);
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

const KINDS = ['actions', 'rules', 'sensors', 'aliases', 'triggers'];

/** Tells how much comes with packs of the index. It is no more than a courtesy: nothing that goes wrong with it matters. */
async function announce({ terminal }: CommandContext, client: Client, packs: readonly string[]): Promise<void> {
  const names = packs.filter((pack) => /^[\w-]+(=|$)/.test(pack)).map((pack) => pack.split('=', 1)[0] ?? '');
  const found: IndexedPack[] = [];
  for (const name of names) {
    const pack = await client.packs.show(name).catch(unlessRefused);
    if (pack) found.push({ name, ...pack });
  }
  const counts = KINDS.flatMap((kind) => {
    const count = found.reduce((sum, { content }) => sum + (content?.[kind]?.count ?? 0), 0);
    return count > 0 ? [`  ${kind.padEnd(8)}  ${count}\n`] : [];
  });
  if (counts.length === 0) return;
  const named = found.map(({ name = '' }) => name).join(', ');
  terminal.stderr.write(
    `For the "${named}" ${found.length > 1 ? 'packs' : 'pack'}, the following content will be registered:\n`,
  );
  for (const line of counts) terminal.stderr.write(line);
}

function unlessRefused(error: unknown): undefined {
  if (error instanceof ApiError && error.status !== 401) return undefined;
  throw error;
}
