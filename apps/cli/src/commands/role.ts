import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { defineGet } from '../program/resource-commands';

const role = {
  title: 'Role',
  one: 'a role',
  many: 'roles',
  by: { name: 'role', one: 'name or id', many: 'names or ids' },
  first: ['id', 'name', 'system', 'description'],
};

export function defineRole(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('List roles'))
    .option('-s, --system', 'Limit to the roles of the system')
    .action(async ({ system, ...options }: CommonOptions & { system?: true }) => {
      const { roles } = await context.client(options);
      await context.printer(options).list(await roles.list({ filters: { system } }), role.first);
    });
  defineGet(group, context, role, (client, name) => client.roles.get(name));
}

const assignment = {
  title: 'Role assignment',
  one: 'a role assignment',
  many: 'role assignments',
  by: { name: 'id', one: 'id', many: 'ids' },
  first: ['id', 'role', 'user', 'is_remote', 'source', 'description'],
};

interface AssignmentFilters extends CommonOptions {
  role?: string;
  user?: string;
  source?: string;
  remote?: true;
}

export function defineRoleAssignment(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('List which users have which roles'))
    .option('-r, --role <name>', 'Limit to this role')
    .option('-u, --user <name>', 'Limit to this user')
    .option('-s, --source <source>', 'Limit to assignments from this file')
    .option('--remote', 'Limit to assignments that follow groups')
    .action(async ({ role: name, user, source, remote, ...options }: AssignmentFilters) => {
      const { roleAssignments } = await context.client(options);
      const found = await roleAssignments.list({ filters: { role: name, user, source, remote } });
      await context.printer(options).list(found, assignment.first);
    });
  defineGet(group, context, assignment, (client, id) => client.roleAssignments.get(id));
}
