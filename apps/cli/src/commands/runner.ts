import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { defineGet, defineSwitch } from '../program/resource-commands';

const texts = {
  title: 'Runner',
  one: 'a runner type',
  many: 'runner types',
  by: { name: 'name', one: 'name or id', many: 'names or ids' },
  effect: 'whether its actions may run',
  first: ['id', 'uid', 'name', 'description', 'enabled'],
};

export function defineRunner(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('List runner types')).action(async (options: CommonOptions) => {
    const client = await context.client(options);
    await context.printer(options).list(await client.runnerTypes.list(), ['id', 'name', 'description']);
  });
  defineGet(group, context, texts, (client, name) => client.runnerTypes.get(name));
  defineSwitch(group, context, texts, async ({ runnerTypes }, name, enabled) =>
    runnerTypes.setEnabled(await runnerTypes.get(name), enabled),
  );
}
