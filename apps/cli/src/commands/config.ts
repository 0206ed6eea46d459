import type { Command } from 'commander';
import type { DisplayOptions } from '../output/printer';
import type { CommandContext } from '../program/command-context';
import { withFormats } from '../program/common-options';

export interface ConfigCheckOptions extends DisplayOptions {
  configFile?: string;
  file?: string[];
}

export interface ConfigShowOptions extends DisplayOptions {
  configFile?: string;
  all?: true;
}

const SOURCES = `
Reads the file that --config-file or SVC_CONFIG_PATH names, and the environment of this command. Neither contacts nor starts a service.`;

/** `svc config`: the configuration of the services on this machine. */
export function defineConfig(group: Command, context: CommandContext): void {
  const check = group.command('check').description('List everything that is wrong with the configuration');
  withFormats(check)
    .option('--file <paths...>', 'Check these files instead, each on its own')
    .addHelpText('after', `${SOURCES}\nThe exit code is 1 if there is an error. Warnings do not count.`)
    .action(async () => {
      const { checkServiceConfig } = await import('./config-run.js');
      await checkServiceConfig(check.optsWithGlobals<ConfigCheckOptions>(), context);
    });
  const show = group
    .command('show')
    .description('Show options that differ from their defaults, and where they are set');
  withFormats(show)
    .argument('[name]', 'Only this section or option, such as api or api.port')
    .option('--all', 'Also show options that have their default')
    .addHelpText('after', `${SOURCES} Secrets are masked.`)
    .action(async (name: string | undefined) => {
      const { showConfig } = await import('./config-run.js');
      await showConfig(name, show.optsWithGlobals<ConfigShowOptions>(), context);
    });
}
