import type { Policy } from '@switchyard/client';
import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withDisplay, withPack, type CommonOptions } from '../program/common-options';
import { defineGet, defineResource, defineSwitch, type ResourceKind } from '../program/resource-commands';
import { attributesFor } from '../program/show-records';

const policies: ResourceKind<Policy> = {
  title: 'Policy',
  one: 'a policy',
  many: 'policies',
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
  withPack(withDisplay(group.command('list').description('List policies')))
    .option('-r, --resource-ref <ref>', 'Limit to policies of this action')
    .option('--policy-type <ref>', 'Limit to this policy type (-pt)')
    .action(async ({ pack, resourceRef, policyType, ...options }: ListOptions) => {
      const client = await context.client(options);
      const filters = { pack, resource_ref: resourceRef, policy_type: policyType };
      const found = await client.policies.list({ filters, include: attributesFor(options.attr, COLUMNS) });
      await context.printer(options).list(found, COLUMNS);
    });
  defineResource(group, context, policies);
  defineSwitch(group, context, policies, async (client, ref, enabled) => {
    const policy = await client.policies.get(ref);
    return client.policies.update(policy.id, { ...policy, enabled });
  });
}

const TYPE_COLUMNS = ['id', 'resource_type', 'name', 'description'];

const types = {
  title: 'Policy type',
  one: 'a policy type',
  many: 'policy types',
  first: ['id', 'uid', 'ref', 'name', 'resource_type', 'description', 'enabled', 'parameters'],
};

export function definePolicyType(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('List policy types'))
    .option('-r, --resource-type <type>', 'Limit to this kind of resource')
    .action(async ({ resourceType, ...options }: CommonOptions & { resourceType?: string }) => {
      const client = await context.client(options);
      const filters = { resource_type: resourceType };
      const found = await client.policyTypes.list({ filters, include: attributesFor(options.attr, TYPE_COLUMNS) });
      await context.printer(options).list(found, TYPE_COLUMNS);
    });
  defineGet(group, context, types, (client, ref) => client.policyTypes.get(ref));
}
