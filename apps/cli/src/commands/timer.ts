import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/get-each';

const COLUMNS = ['id', 'uid', 'pack', 'name', 'type', 'parameters'];

export function defineTimer(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list timers'))
    .option(
      '--timer-type <type>',
      'only of this type (-ty): core.st2.IntervalTimer, core.st2.DateTimer, core.st2.CronTimer',
    )
    .action(async ({ timerType, ...options }: CommonOptions & { timerType?: string }) => {
      const client = await context.client(options);
      await context.printer(options).list(await client.timers.list({ type: timerType }), COLUMNS);
    });
  withDisplay(group.command('get').description('show timers'))
    .argument('<ref...>', 'references or ids of timers')
    .action(async (refs: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'Timer', refs, (ref) => client.timers.get(ref));
      context.exitCode = exitCode;
      if (found.length > 0) await context.printer(options).records(found, { first: COLUMNS, many: refs.length > 1 });
    });
}
