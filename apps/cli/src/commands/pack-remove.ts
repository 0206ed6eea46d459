import { isNotFound, type Client } from '@switchyard/client';
import type { Command } from 'commander';
import { CommandError, exitCodes, operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay } from '../program/common-options';
import { followPackWork, showPacks, type PackWorkOptions } from './pack-work';

export function defineRemove(group: Command, context: CommandContext): void {
  withDisplay(
    group.command('remove').description('remove packs with everything that they have registered, and their files'),
  )
    .argument('<ref...>', 'refs of packs')
    .option('-d, --detail', 'show all attributes of the packs')
    .action((refs: string[], options: PackWorkOptions) => remove(context, refs, options));
}

async function remove(context: CommandContext, refs: readonly string[], options: PackWorkOptions): Promise<void> {
  const client = await context.client(options);
  const before = await client.packs.list();
  const id = await operation(client.packs.uninstall(refs));
  if (!(await followPackWork(context, client, id, options))) return;
  for (const ref of refs) await refuseLeftover(client, ref);
  const gone = before.filter(({ ref }) => refs.includes(ref));
  await showPacks(context, gone, options, { many: gone.length !== 1 });
}

async function refuseLeftover({ packs }: Client, ref: string): Promise<void> {
  const found = await packs.get(ref).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    return undefined;
  });
  if (found)
    throw new CommandError(`Pack "${ref}" has been removed improperly: it is registered still.`, exitCodes.usage.code);
}
