import { Option, type Command } from 'commander';
import { asChangeOfExisting, asOperation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import {
  wholeNumberOption,
  withCredentials,
  withDisplay,
  withFormats,
  withLast,
  type CommonOptions,
} from '../program/common-options';
import { defineGet } from '../program/resource-commands';
import { attributesFor, showPage, tellUser } from '../program/show-records';

const COLUMNS = ['id', 'trigger', 'occurrence_time', 'status'];
const STATUSES = ['pending', 'processing', 'processed', 'processing_failed'];

const texts = {
  title: 'Trigger Instance',
  one: 'a trigger instance',
  many: 'trigger instances',
  by: { name: 'id', one: 'id', many: 'ids' },
  first: [...COLUMNS, 'payload'],
};

export function defineTriggerInstance(group: Command, context: CommandContext): void {
  defineList(group, context);
  defineGet(group, context, texts, (client, id) => client.triggerInstances.get(id));
  withFormats(withCredentials(group.command('re-emit').description('Emit an event again, as a new trigger instance')))
    .argument('<id>', 'id of the trigger instance')
    .action(async (id: string, options: CommonOptions) => {
      const client = await context.client(options);
      const { message, payload } = await asChangeOfExisting(client.triggerInstances.reEmit(id));
      await tellUser(context.printer(options), message, { message, payload });
    });
  defineReplay(group, context);
}

interface ListOptions extends CommonOptions {
  last: number;
  trigger?: string;
  status?: string;
  timestampGt?: string;
  timestampLt?: string;
}

function defineList(group: Command, context: CommandContext): void {
  withLast(withDisplay(group.command('list').description('List trigger instances, newest last')))
    .option('--trigger <ref>', 'Limit to this trigger')
    .addOption(new Option('--status <status>', 'Limit to this status').choices(STATUSES))
    .option('--timestamp-gt <time>', 'Limit to times after this one, such as 2026-01-31T12:00:00.000Z (-tg)')
    .option('--timestamp-lt <time>', 'Limit to times before this one (-tl)')
    .action(async (options: ListOptions) => {
      const { last: limit, trigger, status, timestampGt, timestampLt } = options;
      const client = await context.client(options);
      const { items, total } = await client.triggerInstances.list({
        limit,
        include: attributesFor(options.attr, COLUMNS),
        filters: { trigger, status, timestamp_gt: timestampGt, timestamp_lt: timestampLt },
      });
      await showPage(context.printer(options), { items: items.reverse(), total }, COLUMNS, 'triggerinstance');
    });
}

interface ReplayOptions extends CommonOptions {
  status: string;
  trigger?: string;
  since?: string;
  last: number;
}

function defineReplay(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('replay').description('Process failed trigger instances again')))
    .argument('[id...]', 'ids of trigger instances (default: all that failed)')
    .addOption(
      new Option('--status <status>', 'Limit to this status')
        .choices(['processing_failed'])
        .default('processing_failed'),
    )
    .option('--trigger <ref>', 'Limit to this trigger')
    .option('--since <time>', 'Limit to this age or time, such as 7d, 36h, 90m or 2026-01-31T12:00:00Z')
    .option('-n, --last <count>', 'Process at most this many, starting with the oldest', wholeNumberOption(1), 100)
    .addHelpText('after', '\nDoes not repeat what they have already caused. Use re-emit to emit an event again.')
    .action(async (ids: string[], { trigger, since, last: limit, ...options }: ReplayOptions) => {
      const client = await context.client(options);
      const query = { ...(ids.length > 0 ? { ids } : {}), trigger, since, limit };
      const { replayed, left } = await asOperation(client.triggerInstances.replay(query));
      const sentence = `Processing ${replayed.length} trigger instances again; ${left} others have failed as well.`;
      await tellUser(context.printer(options), sentence, { replayed, left });
    });
}
