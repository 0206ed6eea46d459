import type { BacktestRun, Rule } from '@switchyard/client';
import { Option, type Command } from 'commander';
import { asOperation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay, withLast, withPack, type CommonOptions } from '../program/common-options';
import { defineResource, defineSwitch, type ResourceKind } from '../program/resource-commands';
import { readResourceFile } from '../program/resource-file';
import { attributesFor, showPage } from '../program/show-records';
import { defineRuleTest } from './rule-test';

const rules: ResourceKind<Rule> = {
  title: 'Rule',
  one: 'a rule',
  many: 'rules',
  first: ['id', 'uid', 'ref', 'pack', 'name', 'description', 'enabled', 'type', 'trigger', 'criteria', 'action'],
  of: (client) => client.rules,
};

export function defineRule(group: Command, context: CommandContext): void {
  defineList(group, context);
  defineResource(group, context, rules);
  defineSwitch(group, context, rules, async (client, ref, enabled) => {
    const rule = await client.rules.get(ref);
    return client.rules.update(rule.id, { ...rule, enabled });
  });
  defineRuleTest(group, context);
  defineBacktest(group, context);
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
  withPack(withLast(withDisplay(group.command('list').description('List rules'))))
    .option('-c, --action <ref>', 'Limit to rules that run this action')
    .option('-g, --trigger <ref>', 'Limit to rules that listen to this trigger')
    .addOption(new Option('--enabled', 'Limit to enabled rules').conflicts('disabled'))
    .option('--disabled', 'Limit to disabled rules')
    .option('--iftt', 'Show the trigger and the action of each rule')
    .action(async (options: ListOptions) => {
      const { last: limit, pack, action, trigger } = options;
      const columns = options.iftt ? IF_THEN : COLUMNS;
      const client = await context.client(options);
      const page = await client.rules.list({
        limit,
        include: attributesFor(options.attr, columns),
        filters: { pack, action, trigger, enabled: options.enabled ? true : options.disabled ? false : undefined },
      });
      await showPage(context.printer(options), page, columns, 'rule');
    });
}

const BACKTEST_COLUMNS = ['trigger_instance', 'occurrence_time', 'action', 'outcome'];

/** `svc rule backtest FILE --since 7d` */
function defineBacktest(group: Command, context: CommandContext): void {
  withDisplay(group.command('backtest').description('Show what a rule would have run for past trigger instances'))
    .argument('<file-or-ref>', 'file with the rule, or ref of a rule on the server')
    .option('--since <time>', 'Start at this age or time, such as 7d, 36h, 90m or 2026-01-31T12:00:00Z', '1d')
    .action(async (given: string, { since, ...options }: CommonOptions & { since: string }) => {
      const client = await context.client(options);
      const rule = /\.(json|ya?ml)$/.test(given) ? await readResourceFile(given) : given;
      const report = await asOperation(client.rules.backtest(rule, since));
      const printer = context.printer(options);
      if (printer.format) return printer.document(report);
      await printer.list(report.runs.map(rowOf), BACKTEST_COLUMNS);
      const { instances, matched, suppressed, complete, trigger } = report;
      printer.note(`${matched} of ${instances} instances of ${trigger} match; ${suppressed} of them are suppressed.`);
      if (!complete) printer.note('The backtest did not cover all instances: choose a later --since.');
    });
}

const rowOf = ({ failure_reason: reason, parameters, ...run }: BacktestRun) => ({
  ...run,
  outcome: reason ?? JSON.stringify(parameters ?? {}),
});
