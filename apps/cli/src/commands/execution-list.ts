import { Option, type Command } from 'commander';
import type { ListQuery } from '@switchyard/client';
import type { Printer } from '../output/printer';
import { withNote } from '../output/show-execution';
import type { CommandContext } from '../program/command-context';
import { withDisplay, wholeNumber, type CommonOptions } from '../program/common-options';
import { widthOf } from '../terminal';

const LIST_COLUMNS = ['id', 'action.ref', 'context.user', 'status', 'start_timestamp', 'end_timestamp'];

interface ListOptions extends CommonOptions {
  last: number;
  sort: string;
  action?: string;
  status?: string;
  user?: string;
  triggerInstance?: string;
  timestampGt?: string;
  timestampLt?: string;
  showall?: boolean;
}

/** `svc execution list` */
export function defineExecutionList(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list executions, the newest last'))
    .option('-n, --last <count>', 'how many; -1 for all', lastCount, 50)
    .addOption(
      new Option('-s, --sort <order>', 'order by start: desc takes the newest, asc the oldest')
        .choices(['asc', 'ascending', 'desc', 'descending'])
        .default('desc'),
    )
    .option('--action <ref>', 'only of this action')
    .option('--status <status>', 'only in this status')
    .option('--user <name>', 'only of this user')
    .option('--trigger-instance <id>', 'only those that this trigger instance started')
    .option('--timestamp-gt <time>', 'only started after this time, such as 2026-01-31T12:00:00.000Z (-tg)')
    .option('--timestamp-lt <time>', 'only started before this time (-tl)')
    .option('-l, --showall', 'also those that belong to another execution')
    .action(async (options: ListOptions) => {
      const client = await context.client(options);
      const { items, total } = await client.executions.list(listQuery(options));
      const printer = context.printer(options);
      const rows = printer.format ? items : items.map((execution) => withNote(execution, options));
      await printer.list(rows.reverse(), listColumns(context, printer));
      if (!printer.format && total !== undefined && total > items.length) printer.note(moreNote(items.length));
    });
}

/** On a narrow terminal the end is left out: the status says how long it took. */
const listColumns = ({ terminal }: CommandContext, { format }: Printer): string[] =>
  format || widthOf(terminal) >= ROOM_FOR_ALL ? LIST_COLUMNS : LIST_COLUMNS.filter((name) => name !== 'end_timestamp');

const ROOM_FOR_ALL = 110;

const lastCount = (text: string): number => (text === '-1' ? -1 : wholeNumber(1)(text));

function listQuery(options: ListOptions): ListQuery {
  const all = options.attr?.includes('all');
  return {
    limit: options.last,
    filters: {
      action: options.action,
      status: options.status,
      user: options.user,
      trigger_instance: options.triggerInstance,
      timestamp_gt: options.timestampGt,
      timestamp_lt: options.timestampLt,
      parent: options.showall ? undefined : 'null',
      [options.sort.startsWith('asc') ? 'sort_asc' : 'sort_desc']: 'True',
    },
    // The times are for how long a status took.
    ...(all ? {} : { include: [...new Set([...(options.attr ?? LIST_COLUMNS), ...TIMES])].map(attributeRoot) }),
  };
}

const TIMES = ['start_timestamp', 'end_timestamp', 'status'];

/** Servers select inside objects by plain paths only. */
const attributeRoot = (path: string): string => path.replace(/[[*].*$/, '').replace(/\.$/, '');

const moreNote = (count: number): string =>
  count === 1
    ? 'Note: Only one execution is displayed. Use -n/--last flag for more results.'
    : `Note: Only first ${count} executions are displayed. Use -n/--last flag for more results.`;
