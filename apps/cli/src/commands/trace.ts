import { Option, type Command } from 'commander';
import type { Trace } from '@switchyard/client';
import { chainOf, partsOf, type ShownKinds, type TracedPart } from '../output/trace-parts';
import type { CommandContext } from '../program/command-context';
import { withDisplay, withLast, type CommonOptions } from '../program/common-options';
import { getEach, showPage } from '../program/show-records';

const COLUMNS = ['id', 'uid', 'trace_tag', 'start_timestamp'];
const PARTS = ['id', 'type', 'ref', 'updated_at'];

export function defineTrace(group: Command, context: CommandContext): void {
  defineList(group, context);
  defineGet(group, context);
}

interface ListOptions extends CommonOptions {
  last: number;
  sort: string;
  traceTag?: string;
  execution?: string;
  rule?: string;
  triggerInstance?: string;
}

function defineList(group: Command, context: CommandContext): void {
  withParts(withLast(withDisplay(group.command('list').description('List traces, newest first'))))
    .addOption(
      new Option('-s, --sort <order>', 'Sort by start time')
        .choices(['asc', 'ascending', 'desc', 'descending'])
        .default('desc'),
    )
    .addOption(new Option('-c, --trace-tag <tag>', 'Limit to this tag').conflicts(PART_OPTIONS))
    .action(async (options: ListOptions) => {
      const { last: limit, traceTag, execution, rule, triggerInstance, sort } = options;
      const client = await context.client(options);
      const { items, total } = await client.traces.list({
        limit,
        filters: {
          trace_tag: traceTag,
          execution,
          rule,
          trigger_instance: triggerInstance,
          [sort.startsWith('asc') ? 'sort_asc' : 'sort_desc']: 'True',
        },
      });
      const [only] = items;
      if (only && items.length === 1 && !options.attr) return showTrace(context, only, options);
      await showPage(context.printer(options), { items, total }, COLUMNS, 'trace');
    });
}

const PART_OPTIONS = ['execution', 'rule', 'triggerInstance'];

/** Options that find traces by one part of them. `trace get` shows the chain that led to that part. */
const withParts = (command: Command): Command =>
  command
    .addOption(partOption('-e, --execution <id>', 'Find the trace of this execution'))
    .addOption(partOption('-r, --rule <id>', 'Find the trace of this rule'))
    .addOption(partOption('-g, --trigger-instance <id>', 'Find the trace of this trigger instance'));

function partOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.conflicts(PART_OPTIONS.filter((name) => name !== option.attributeName()));
}

interface GetOptions extends CommonOptions {
  execution?: string;
  rule?: string;
  triggerInstance?: string;
  showExecutions?: boolean;
  showRules?: boolean;
  showTriggerInstances?: boolean;
  hideNoopTriggers?: boolean;
}

function defineGet(group: Command, context: CommandContext): void {
  withParts(withDisplay(group.command('get').description('Show the parts of traces')))
    .argument('<id...>', 'ids of traces')
    .option('--show-executions', 'Limit to executions')
    .option('--show-rules', 'Limit to rules')
    .option('--show-trigger-instances', 'Limit to trigger instances')
    .option('-n, --hide-noop-triggers', 'Hide trigger instances that caused nothing')
    .addHelpText('after', '\nWith -e, -r or -g, shows only the chain that led to that part.')
    .action(async (ids: string[], options: GetOptions) => {
      const client = await context.client(options);
      const found = await getEach(context, 'Trace', ids, (id) => client.traces.get(id));
      const printer = context.printer(options);
      if (printer.format && found.length > 0) return printer.records(found, { first: COLUMNS, many: ids.length > 1 });
      for (const trace of found) await showTrace(context, trace, options);
    });
}

async function showTrace(context: CommandContext, trace: Trace, options: GetOptions): Promise<void> {
  const printer = context.printer(options);
  if (printer.format) return printer.records([trace], { first: COLUMNS });
  await printer.records([trace], { columns: ['id', 'trace_tag', 'start_timestamp'] });
  await printer.list(selected(trace, options), PARTS);
}

function selected(trace: Trace, options: GetOptions): TracedPart[] {
  const { execution, rule, triggerInstance } = options;
  const from = execution ?? rule ?? triggerInstance;
  const kind = execution !== undefined ? 'execution' : rule !== undefined ? 'rule' : 'trigger-instance';
  if (from !== undefined) return chainOf(trace, kind, from);
  return partsOf(trace, kindsOf(options), options.hideNoopTriggers === true);
}

/** All kinds, unless options select some. */
function kindsOf({ showExecutions, showRules, showTriggerInstances }: GetOptions): ShownKinds {
  const all = !showExecutions && !showRules && !showTriggerInstances;
  return {
    execution: all || showExecutions === true,
    rule: all || showRules === true,
    'trigger-instance': all || showTriggerInstances === true,
  };
}
