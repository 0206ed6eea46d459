import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withDisplay, withLast, type CommonOptions } from '../program/common-options';
import { defineGet } from '../program/resource-commands';
import { attributesFor, showPage } from '../program/show-records';

const COLUMNS = ['id', 'rule.ref', 'trigger_instance_id', 'execution_id', 'enforced_at'];
const SHOWN = [...COLUMNS, 'failure_reason'];

const texts = {
  title: 'Rule Enforcement',
  one: 'a rule enforcement',
  many: 'rule enforcements',
  by: { name: 'id', one: 'id', many: 'ids' },
  first: SHOWN,
  columns: SHOWN,
};

export function defineRuleEnforcement(group: Command, context: CommandContext): void {
  defineList(group, context);
  defineGet(group, context, texts, (client, id) => client.ruleEnforcements.get(id));
}

interface ListOptions extends CommonOptions {
  last: number;
  triggerInstance?: string;
  execution?: string;
  rule?: string;
  timestampGt?: string;
  timestampLt?: string;
}

function defineList(group: Command, context: CommandContext): void {
  withLast(withDisplay(group.command('list').description('List rules that matched, with what they started')))
    .option('--trigger-instance <id>', 'Limit to this trigger instance')
    .option('--execution <id>', 'Limit to this execution')
    .option('--rule <ref>', 'Limit to this rule')
    .option('--timestamp-gt <time>', 'Limit to times after this one, such as 2026-01-31T12:00:00.000Z (-tg)')
    .option('--timestamp-lt <time>', 'Limit to times before this one (-tl)')
    .action(async (options: ListOptions) => {
      const { triggerInstance, execution, rule, timestampGt, timestampLt } = options;
      const client = await context.client(options);
      const { items, total } = await client.ruleEnforcements.list({
        limit: options.last,
        include: attributesFor(options.attr, COLUMNS),
        filters: {
          trigger_instance: triggerInstance,
          execution,
          rule_ref: rule,
          enforced_at_gt: timestampGt,
          enforced_at_lt: timestampLt,
        },
      });
      const printer = context.printer(options);
      // For programs the newest is last, as in other lists of events.
      await showPage(printer, { items: printer.format ? items.reverse() : items, total }, COLUMNS, 'rule enforcement');
    });
}
