import type { BacktestRun } from '@switchyard/client';
import type { Command } from 'commander';
import { operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { readResourceFile } from './resource-file';

const COLUMNS = ['trigger_instance', 'occurrence_time', 'action', 'outcome'];

/** `svc rule backtest FILE --since 7d` */
export function defineRuleBacktest(group: Command, context: CommandContext): void {
  withDisplay(group.command('backtest').description('show what a rule would have run for what has happened'))
    .argument('<file-or-ref>', 'file with the rule, or the ref of a rule that is there')
    .option('--since <time>', 'from when on: 7d, 36h, 90m ago, or a time such as 2026-01-31T12:00:00Z', '1d')
    .action(async (given: string, { since, ...options }: CommonOptions & { since: string }) => {
      const client = await context.client(options);
      const rule = /\.(json|ya?ml)$/.test(given) ? await readResourceFile(given) : given;
      const report = await operation(client.rules.backtest(rule, since));
      const printer = context.printer(options);
      if (printer.format) return printer.document(report);
      await printer.list(report.runs.map(rowOf), COLUMNS);
      const { instances, matched, suppressed, complete, trigger } = report;
      printer.note(`${matched} of ${instances} instances of ${trigger} match; ${suppressed} of these are held back.`);
      if (!complete) printer.note('There is more than one backtest looks at: choose a later --since.');
    });
}

const rowOf = ({ failure_reason: reason, parameters, ...run }: BacktestRun) => ({
  ...run,
  outcome: reason ?? JSON.stringify(parameters ?? {}),
});
