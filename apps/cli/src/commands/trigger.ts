import type { TriggerType } from '@switchyard/client';
import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { attributesFor } from '../program/list-pages';
import { defineResource, type ResourceKind } from '../program/resource-commands';

/** What people call a trigger is a trigger type to the API. */
const types: ResourceKind<TriggerType> = {
  title: 'Trigger',
  noun: 'trigger',
  first: ['id', 'uid', 'ref', 'pack', 'name', 'description', 'parameters_schema', 'payload_schema'],
  of: (client) => client.triggerTypes,
};

const COLUMNS = ['ref', 'pack', 'description'];
const SPEC_COLUMNS = ['id', 'ref', 'type', 'parameters'];

export function defineTrigger(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list triggers'))
    .option('-p, --pack <pack>', 'only of this pack')
    .action(async (options: CommonOptions & { pack?: string }) => {
      const client = await context.client(options);
      const include = attributesFor(options.attr, COLUMNS);
      const found = await client.triggerTypes.list({ include, filters: { pack: options.pack } });
      await context.printer(options).list(found, COLUMNS);
    });
  defineResource(group, context, types);
  withDisplay(group.command('getspecs').description('list what rules listen to: triggers with their parameters'))
    .argument('[ref]', 'only of this trigger')
    .action(async (ref: string | undefined, options: CommonOptions) => {
      const client = await context.client(options);
      await context.printer(options).list(await client.triggers.list({ type: ref }), SPEC_COLUMNS);
    });
}
