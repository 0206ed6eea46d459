import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withTransferOptions, type ExportCommandOptions } from './transfer-options';

/** `svc export`: also works while the system runs. */
export function defineSystemExport(command: Command, context: CommandContext): void {
  withTransferOptions(command)
    .argument('<archive>', 'the file to write; compressed unless its name ends with .tar')
    .option('--with-secrets', 'Include the key files and the password file')
    .action(async (archive: string) => {
      const options = command.optsWithGlobals<ExportCommandOptions>();
      const { exportArchive } = await import('./export-run.js');
      await exportArchive(resolve(archive), options, context);
    });
}
