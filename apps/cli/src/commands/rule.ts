import type { Rule } from '@switchyard/client';
import type { Command } from 'commander';
import { operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { attributesFor, lastCount, moreNote } from '../program/list-pages';
import { defineResource, type ResourceKind } from '../program/resource-commands';
import { defineRuleBacktest } from './rule-backtest';
import { defineRuleTest } from './rule-test';

const rules: ResourceKind<Rule> = {
  title: 'Rule',
  noun: 'rule',
  first: ['id', 'uid', 'ref', 'pack', 'name', 'description', 'enabled', 'type', 'trigger', 'criteria', 'action'],
  of: (client) => client.rules,
};

export function defineRule(group: Command, context: CommandContext): void {
  defineList(group, context);
  defineResource(group, context, rules);
  defineSwitch(group, context, 'enable', true);
  defineSwitch(group, context, 'disable', false);
  defineRuleTest(group, context);
  defineRuleBacktest(group, context);
}

interface ListOptions extends CommonOptions {
  last: number;
  pack?: string;
  action?: string;
  trigger?: string;
  enabled?: boolean;
  disabled?: boolean;
  iftt?: boolean;
}

const COLUMNS = ['ref', 'pack', 'description', 'enabled'];
const IF_THEN = ['ref', 'trigger.ref', 'action.ref', 'enabled'];

function defineList(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list rules'))
    .option('-n, --last <count>', 'how many; -1 for all', lastCount, 50)
    .option('-p, --pack <pack>', 'only of this pack')
    .option('-c, --action <ref>', 'only those that run this action')
    .option('-g, --trigger <ref>', 'only those that listen to this trigger')
    .option('--enabled', 'only those that are on')
    .option('--disabled', 'only those that are off')
    .option('--iftt', 'show what each listens to and what it runs')
    .action(async (options: ListOptions) => {
      const { last: limit, pack, action, trigger } = options;
      const columns = options.iftt ? IF_THEN : COLUMNS;
      const client = await context.client(options);
      const { items, total } = await client.rules.list({
        limit,
        include: attributesFor(options.attr, columns),
        filters: { pack, action, trigger, enabled: options.enabled ? true : options.disabled ? false : undefined },
      });
      const printer = context.printer(options);
      await printer.list(items, columns);
      if (!printer.format && total !== undefined && total > items.length) printer.note(moreNote(items.length, 'rule'));
    });
}

function defineSwitch(group: Command, context: CommandContext, verb: string, enabled: boolean): void {
  withDisplay(group.command(verb).description(`${verb} a rule`))
    .argument('<ref>', 'ref or id of the rule')
    .action(async (ref: string, options: CommonOptions) => {
      const client = await context.client(options);
      const rule = await operation(client.rules.get(ref));
      const changed = await operation(client.rules.update(rule.id, { ...rule, enabled }));
      await context.printer(options).records([changed], { first: rules.first });
    });
}
