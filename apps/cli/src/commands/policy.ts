import type { Policy } from '@switchyard/client';
import type { Command } from 'commander';
import { operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { attributesFor } from '../program/list-pages';
import { defineResource, type ResourceKind } from '../program/resource-commands';

const policies: ResourceKind<Policy> = {
  title: 'Policy',
  noun: 'policy',
  first: ['id', 'uid', 'ref', 'pack', 'name', 'description', 'enabled', 'resource_ref', 'policy_type', 'parameters'],
  of: (client) => client.policies,
};

interface ListOptions extends CommonOptions {
  pack?: string;
  resourceRef?: string;
  policyType?: string;
}

const COLUMNS = ['ref', 'resource_ref', 'policy_type', 'enabled'];

export function definePolicy(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list policies'))
    .option('-p, --pack <pack>', 'only of this pack')
    .option('-r, --resource-ref <ref>', 'only those about this action')
    .option('--policy-type <ref>', 'only of this policy type; -pt is short for it')
    .action(async ({ pack, resourceRef, policyType, ...options }: ListOptions) => {
      const client = await context.client(options);
      const filters = { pack, resource_ref: resourceRef, policy_type: policyType };
      const found = await client.policies.list({ filters, include: attributesFor(options.attr, COLUMNS) });
      await context.printer(options).list(found, COLUMNS);
    });
  defineResource(group, context, policies);
  defineSwitch(group, context, 'enable', true);
  defineSwitch(group, context, 'disable', false);
}

function defineSwitch(group: Command, context: CommandContext, verb: string, enabled: boolean): void {
  withDisplay(group.command(verb).description(`${verb} a policy`))
    .argument('<ref>', 'ref or id of the policy')
    .action(async (ref: string, options: CommonOptions) => {
      const client = await context.client(options);
      const policy = await operation(client.policies.get(ref));
      const changed = await operation(client.policies.update(policy.id, { ...policy, enabled }));
      await context.printer(options).records([changed], { first: policies.first });
    });
}
