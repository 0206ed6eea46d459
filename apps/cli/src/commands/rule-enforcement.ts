import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/get-each';
import { attributesFor, lastCount, moreNote } from '../program/list-pages';

const COLUMNS = ['id', 'rule.ref', 'trigger_instance_id', 'execution_id', 'enforced_at'];
const SHOWN = [...COLUMNS, 'failure_reason'];

export function defineRuleEnforcement(group: Command, context: CommandContext): void {
  defineList(group, context);
  withDisplay(group.command('get').description('show what became of rules that matched'))
    .argument('<id...>', 'ids of rule enforcements')
    .action(async (ids: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'RuleEnforcement', ids, (id) =>
        client.ruleEnforcements.get(id),
      );
      context.exitCode = exitCode;
      if (found.length > 0)
        await context.printer(options).records(found, { columns: SHOWN, first: SHOWN, many: ids.length > 1 });
    });
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
  withDisplay(group.command('list').description('list what became of rules that matched'))
    .option('-n, --last <count>', 'how many; -1 for all', lastCount, 50)
    .option('--trigger-instance <id>', 'only for this trigger instance')
    .option('--execution <id>', 'only with this execution')
    .option('--rule <ref>', 'only of this rule')
    .option('--timestamp-gt <time>', 'only after this time, such as 2026-01-31T12:00:00.000Z (-tg)')
    .option('--timestamp-lt <time>', 'only before this time (-tl)')
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
      // Programs get the newest last, as in other lists of what has happened.
      await printer.list(printer.format ? items.reverse() : items, COLUMNS);
      if (!printer.format && total !== undefined && total > items.length)
        printer.note(moreNote(items.length, 'ruleenforcement'));
    });
}
