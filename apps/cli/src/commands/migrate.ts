import type { Command } from 'commander';
import type { DisplayOptions } from '../output/printer';
import type { CommandContext } from '../program/command-context';
import { withColumns, withFormats } from '../program/common-options';
import type { ServiceFiles } from '../settings/service-config';

export interface MigrateOptions extends DisplayOptions, ServiceFiles {
  check?: boolean;
  contract?: boolean;
}

/** Works on the store directly, so that it can prepare the store before the first process of a new version starts. */
export function defineMigrate(command: Command, context: CommandContext): void {
  withColumns(withFormats(command))
    .option('--data-dir <directory>', 'Use the data, keys and packs in this directory')
    .option('--check', 'Change nothing, and exit with 1 if something is pending')
    .option('--contract', 'Also keep programs of earlier versions out, which ends the way back to them')
    .addHelpText(
      'after',
      '\nHere --config-file names the configuration file of the services. With MongoDB, the system may run; the embedded store\n' +
        'is in use while it does, and migrates itself.',
    )
    .action(async () => {
      const { migrateStore } = await import('./migrate-run.js');
      await migrateStore(command.optsWithGlobals<MigrateOptions>(), context);
    });
}
