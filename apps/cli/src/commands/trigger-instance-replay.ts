import { Option, type Command } from 'commander';
import { operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withFormats, wholeNumber, type CommonOptions } from '../program/common-options';
import { tell } from '../program/get-each';

interface ReplayOptions extends CommonOptions {
  status: string;
  trigger?: string;
  since?: string;
  last: number;
}

/** `svc trigger-instance replay` */
export function defineTriggerInstanceReplay(group: Command, context: CommandContext): void {
  withFormats(
    withCredentials(group.command('replay').description('process instances again that could not be processed')),
  )
    .argument('[id...]', 'ids of trigger instances; all that have failed unless given')
    .addOption(
      new Option('--status <status>', 'in this status').choices(['processing_failed']).default('processing_failed'),
    )
    .option('--trigger <ref>', 'only of this trigger')
    .option('--since <time>', 'only since then: 7d, 36h, 90m ago, or a time such as 2026-01-31T12:00:00Z')
    .option('-n, --last <count>', 'how many at most, the earliest first', wholeNumber(1), 100)
    .addHelpText('after', '\nWhat they have led to already is not repeated. To let something happen anew, use re-emit.')
    .action(async (ids: string[], { trigger, since, last: limit, ...options }: ReplayOptions) => {
      const client = await context.client(options);
      const query = { ...(ids.length > 0 ? { ids } : {}), trigger, since, limit };
      const { replayed, left } = await operation(client.triggerInstances.replay(query));
      const sentence = `${replayed.length} trigger instances are processed again; ${left} others have failed, too.`;
      await tell(context.printer(options), sentence, { replayed, left });
    });
}
