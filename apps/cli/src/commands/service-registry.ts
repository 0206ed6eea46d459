import type { Client } from '@switchyard/client';
import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';

const MEMBER_COLUMNS = ['group_id', 'member_id', 'capabilities'];

/** The running processes, with the groups and columns of StackStorm's command. */
export function defineServiceRegistry(registry: Command, context: CommandContext): void {
  const group = registry.command('group').description('Show services that have a running process: list');
  withDisplay(group.command('list').description('List services that have a running process')).action(
    async (options: CommonOptions) => {
      const { serviceRegistry } = await context.client(options);
      const groups = (await serviceRegistry.groups()).map((name) => ({ group_id: name }));
      await context.printer(options).list(groups, ['group_id']);
    },
  );
  const member = registry.command('member').description('Show running processes: list');
  withDisplay(member.command('list').description('List running processes by service'))
    .option('--group-id <group>', 'Limit to this service')
    .action(async ({ groupId, ...options }: CommonOptions & { groupId?: string }) => {
      const members = await membersOf(await context.client(options), groupId);
      await context.printer(options).list(members, MEMBER_COLUMNS);
    });
}

async function membersOf({ serviceRegistry }: Client, group: string | undefined) {
  if (group !== undefined) return serviceRegistry.members(group);
  const all = [];
  for (const each of await serviceRegistry.groups()) all.push(...(await serviceRegistry.members(each)));
  return all;
}
