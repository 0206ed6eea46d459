import type { Command } from 'commander';
import { operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/get-each';

const FIRST = ['id', 'uid', 'name', 'description', 'enabled'];

export function defineRunner(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list runner types')).action(async (options: CommonOptions) => {
    const client = await context.client(options);
    await context.printer(options).list(await client.runnerTypes.list(), ['id', 'name', 'description']);
  });
  withDisplay(group.command('get').description('show runner types'))
    .argument('<name...>', 'names or ids of runner types')
    .action(async (names: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'Runner', names, (name) => client.runnerTypes.get(name));
      context.exitCode = exitCode;
      if (found.length > 0) await context.printer(options).records(found, { first: FIRST, many: names.length > 1 });
    });
  defineSwitch(group, context, 'enable', true);
  defineSwitch(group, context, 'disable', false);
}

function defineSwitch(group: Command, context: CommandContext, verb: string, enabled: boolean): void {
  withDisplay(group.command(verb).description(`${verb} a runner type: whether actions of it may run`))
    .argument('<name>', 'name or id of the runner type')
    .action(async (name: string, options: CommonOptions) => {
      const client = await context.client(options);
      const runner = await operation(client.runnerTypes.get(name));
      const changed = await operation(client.runnerTypes.setEnabled(runner, enabled));
      await context.printer(options).records([changed], { first: FIRST });
    });
}
