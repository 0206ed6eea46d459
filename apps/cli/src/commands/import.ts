import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withTransferOptions, type ImportCommandOptions } from './transfer-options';

/** `svc import`: the system must be stopped, and its store empty. */
export function defineImport(command: Command, context: CommandContext): void {
  withTransferOptions(command)
    .argument('<archive>', 'an archive of svc export')
    .option('--check', 'Only verify the archive')
    .option('--reseal', 'If the system has other keys, add those of the archive to them')
    .action(async (archive: string) => {
      const options = command.optsWithGlobals<ImportCommandOptions>();
      const { checkOnly, importArchive } = await import('./import-run.js');
      if (options.check) await checkOnly(resolve(archive), options, context);
      else await importArchive(resolve(archive), options, context);
    });
}
