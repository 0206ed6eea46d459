import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/get-each';
import { attributesFor } from '../program/list-pages';

const COLUMNS = ['id', 'resource_type', 'name', 'description'];
const FIRST = ['id', 'uid', 'ref', 'name', 'resource_type', 'description', 'enabled', 'parameters'];

export function definePolicyType(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list the kinds of policies'))
    .option('-r, --resource-type <type>', 'only for this kind of resource')
    .action(async ({ resourceType, ...options }: CommonOptions & { resourceType?: string }) => {
      const client = await context.client(options);
      const filters = { resource_type: resourceType };
      const found = await client.policyTypes.list({ filters, include: attributesFor(options.attr, COLUMNS) });
      await context.printer(options).list(found, COLUMNS);
    });
  withDisplay(group.command('get').description('show kinds of policies'))
    .argument('<ref...>', 'refs or ids of policy types')
    .action(async (refs: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'Policy type', refs, (ref) => client.policyTypes.get(ref));
      context.exitCode = exitCode;
      if (found.length > 0) await context.printer(options).records(found, { first: FIRST, many: refs.length > 1 });
    });
}
