import type { Command } from 'commander';
import type { GivenCredentials } from '../credentials/session';
import type { DisplayOptions } from '../output/printer';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withFormats } from '../program/common-options';
import type { ServiceFiles } from '../settings/service-config';

export interface RbacOptions extends DisplayOptions, GivenCredentials, ServiceFiles {
  api?: true;
}

const CONFIG_FILE = '\nHere --config-file names the configuration file of the services.';

/** Work on the definition files of roles, on this machine. */
export function defineRbac(group: Command, context: CommandContext): void {
  const sync = group.command('sync').description('Apply the definition files of roles to the store');
  withDataDirectory(withFormats(withCredentials(sync)))
    .option('--api', 'Have the running API read the files on its machine (administrators only)')
    .addHelpText('after', `${CONFIG_FILE} With the embedded store, stop the system first, or use --api.`)
    .action(async () => {
      const { synchroniseRoles } = await import('./rbac-run.js');
      await synchroniseRoles(sync.optsWithGlobals<RbacOptions>(), context);
    });
  const validate = group.command('validate').description('Check the definition files of roles');
  withDataDirectory(withFormats(validate))
    .argument('[directory]', 'Check this directory instead of the configured one')
    .addHelpText('after', CONFIG_FILE)
    .action(async (directory: string | undefined) => {
      const { validateRoles } = await import('./rbac-run.js');
      await validateRoles(directory, validate.optsWithGlobals<RbacOptions>(), context);
    });
}

const withDataDirectory = (command: Command): Command =>
  command.option('--data-dir <directory>', 'Use the data, keys and definition files in this directory');
