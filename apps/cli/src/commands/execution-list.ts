import { Option, type Command } from 'commander';
import type { ListQuery } from '@switchyard/client';
import type { Printer } from '../output/printer';
import { withNote } from '../output/show-execution';
import type { CommandContext } from '../program/command-context';
import { withDisplay, withLast, type CommonOptions } from '../program/common-options';
import { showPage } from '../program/show-records';
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
  withLast(withDisplay(group.command('list').description('List executions, newest last')))
    .addOption(
      new Option('-s, --sort <order>', 'Sort by start time; with -n, desc takes the newest and asc the oldest')
        .choices(['asc', 'ascending', 'desc', 'descending'])
        .default('desc'),
    )
    .option('--action <ref>', 'Limit to this action')
    .option('--status <status>', 'Limit to this status')
    .option('--user <name>', 'Limit to this user')
    .option('--trigger-instance <id>', 'Limit to executions that this trigger instance started')
    .option('--timestamp-gt <time>', 'Limit to starts after this time, such as 2026-01-31T12:00:00.000Z (-tg)')
    .option('--timestamp-lt <time>', 'Limit to starts before this time (-tl)')
    .option('-l, --showall', 'Include executions that belong to another execution')
    .action(async (options: ListOptions) => {
      const client = await context.client(options);
      const { items, total } = await client.executions.list(listQuery(options));
      const printer = context.printer(options);
      const rows = printer.format ? items : items.map((execution) => withNote(execution, options));
      await showPage(printer, { items: rows.reverse(), total }, listColumns(context, printer), 'action execution');
    });
}

/** A narrow terminal has no room for the end time, but the status shows the elapsed time. */
const listColumns = ({ terminal }: CommandContext, { format }: Printer): string[] =>
  format || widthOf(terminal) >= ROOM_FOR_ALL ? LIST_COLUMNS : LIST_COLUMNS.filter((name) => name !== 'end_timestamp');

const ROOM_FOR_ALL = 110;

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
    // The elapsed time after the status is computed from these times.
    ...(all ? {} : { include: [...new Set([...(options.attr ?? LIST_COLUMNS), ...TIMES])].map(attributeRoot) }),
  };
}

const TIMES = ['start_timestamp', 'end_timestamp', 'status'];

/** Servers only support plain paths inside objects. */
const attributeRoot = (path: string): string => path.replace(/[[*].*$/, '').replace(/\.$/, '');
