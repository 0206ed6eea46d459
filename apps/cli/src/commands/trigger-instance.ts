import { Option, type Command } from 'commander';
import { operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withDisplay, withFormats, type CommonOptions } from '../program/common-options';
import { getEach, tell } from '../program/get-each';
import { attributesFor, lastCount, moreNote } from '../program/list-pages';
import { defineTriggerInstanceReplay } from './trigger-instance-replay';

const COLUMNS = ['id', 'trigger', 'occurrence_time', 'status'];
const FIRST = [...COLUMNS, 'payload'];
const STATUSES = ['pending', 'processing', 'processed', 'processing_failed'];

export function defineTriggerInstance(group: Command, context: CommandContext): void {
  defineList(group, context);
  withDisplay(group.command('get').description('show what has happened'))
    .argument('<id...>', 'ids of trigger instances')
    .action(async (ids: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'TriggerInstance', ids, (id) =>
        client.triggerInstances.get(id),
      );
      context.exitCode = exitCode;
      if (found.length > 0) await context.printer(options).records(found, { first: FIRST, many: ids.length > 1 });
    });
  withFormats(withCredentials(group.command('re-emit').description('let it happen once more')))
    .argument('<id>', 'id of the trigger instance')
    .action(async (id: string, options: CommonOptions) => {
      const client = await context.client(options);
      const { message, payload } = await operation(client.triggerInstances.reEmit(id));
      await tell(context.printer(options), message, { message, payload });
    });
  defineTriggerInstanceReplay(group, context);
}

interface ListOptions extends CommonOptions {
  last: number;
  trigger?: string;
  status?: string;
  timestampGt?: string;
  timestampLt?: string;
}

function defineList(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list what has happened, the newest last'))
    .option('-n, --last <count>', 'how many; -1 for all', lastCount, 50)
    .option('--trigger <ref>', 'only of this trigger')
    .addOption(new Option('--status <status>', 'only in this status').choices(STATUSES))
    .option('--timestamp-gt <time>', 'only after this time, such as 2026-01-31T12:00:00.000Z (-tg)')
    .option('--timestamp-lt <time>', 'only before this time (-tl)')
    .action(async (options: ListOptions) => {
      const { last: limit, trigger, status, timestampGt, timestampLt } = options;
      const client = await context.client(options);
      const { items, total } = await client.triggerInstances.list({
        limit,
        include: attributesFor(options.attr, COLUMNS),
        filters: { trigger, status, timestamp_gt: timestampGt, timestamp_lt: timestampLt },
      });
      const printer = context.printer(options);
      await printer.list(items.reverse(), COLUMNS);
      if (!printer.format && total !== undefined && total > items.length)
        printer.note(moreNote(items.length, 'triggerinstance'));
    });
}
