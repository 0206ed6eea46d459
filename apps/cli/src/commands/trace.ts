import { Option, type Command } from 'commander';
import type { Trace } from '@switchyard/client';
import { chainOf, partsOf, type ShownKinds, type TracedPart } from '../output/trace-parts';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/get-each';
import { lastCount, moreNote } from '../program/list-pages';

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
  withParts(withDisplay(group.command('list').description('list traces, the latest first')))
    .option('-n, --last <count>', 'how many; -1 for all', lastCount, 50)
    .addOption(
      new Option('-s, --sort <order>', 'order by start')
        .choices(['asc', 'ascending', 'desc', 'descending'])
        .default('desc'),
    )
    .option('-c, --trace-tag <tag>', 'only those with this tag')
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
      const printer = context.printer(options);
      const [only] = items;
      if (only && items.length === 1 && !options.attr) return showTrace(context, only, options);
      await printer.list(items, COLUMNS);
      if (!printer.format && total !== undefined && total > items.length) printer.note(moreNote(items.length, 'trace'));
    });
}

/** What a trace is looked for by, and followed up from. */
const withParts = (command: Command): Command =>
  command
    .option('-e, --execution <id>', 'an execution in it')
    .option('-r, --rule <id>', 'a rule in it')
    .option('-g, --trigger-instance <id>', 'a trigger instance in it');

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
  withParts(withDisplay(group.command('get').description('show what belongs to traces')))
    .argument('<id...>', 'ids of traces')
    .option('--show-executions', 'only executions')
    .option('--show-rules', 'only rules')
    .option('--show-trigger-instances', 'only trigger instances')
    .option('-n, --hide-noop-triggers', 'leave out trigger instances that caused nothing')
    .addHelpText('after', '\nWith -e, -r or -g only what has led to that part is shown.')
    .action(async (ids: string[], options: GetOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'Trace', ids, (id) => client.traces.get(id));
      context.exitCode = exitCode;
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

/** All of them unless some are asked for. */
function kindsOf({ showExecutions, showRules, showTriggerInstances }: GetOptions): ShownKinds {
  const all = !showExecutions && !showRules && !showTriggerInstances;
  return {
    execution: all || showExecutions === true,
    rule: all || showRules === true,
    'trigger-instance': all || showTriggerInstances === true,
  };
}
