import type { Command } from 'commander';
import { usageError } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withStartOptions, type StartOptions } from '../program/execution-options';

/** Defines `svc run`. With `asynchronous` it is `svc action execute`, which does not wait for the result. */
export function defineRun(command: Command, context: CommandContext, asynchronous = false): void {
  withStartOptions(command)
    .argument('[ref]', 'ref of the action, such as core.local')
    .argument('[parameters...]', 'key=value, @key=file, or the words of a command')
    .option('-u, --user <name>', 'Run as this user')
    .option('--trace-tag <tag>', 'Set a tag for everything that this execution causes')
    .option('--trace-id <id>', 'Add the execution to this trace; overrides --trace-tag')
    .option('--pool <label>', 'Run only on action runners with this label')
    .option('--tail', 'Show the output while it runs')
    .helpOption(false)
    .option('-h, --help', 'Show help; after REF, show the parameters of that action')
    .action(async (ref: string | undefined, words: string[], options: StartOptions) => {
      if (ref === undefined && options.help) return command.outputHelp();
      if (ref === undefined)
        throw usageError('Specify the action to run: svc run REF [key=value ...]. See "svc run -h".');
      const { run } = await import('./start.js');
      const detached = asynchronous && !options.tail && !options.withSchema;
      await run(context, ref, words, detached ? { ...options, async: true } : options);
    });
}
