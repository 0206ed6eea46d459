import type { Trigger } from '@switchyard/client';
import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/get-each';

const COLUMNS = ['url', 'type', 'description'];

/** The URL stands among the parameters of the trigger. */
const withUrl = (trigger: Trigger): Record<string, unknown> => ({ url: trigger.parameters['url'], ...trigger });

export function defineWebhook(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list webhooks'))
    .option('-p, --pack <pack>', 'only of this pack')
    .action(async (options: CommonOptions & { pack?: string }) => {
      const client = await context.client(options);
      const found = await client.webhooks.list({ pack: options.pack });
      await context.printer(options).list(found.map(withUrl), COLUMNS);
    });
  withDisplay(group.command('get').description('show webhooks'))
    .argument('<url...>', 'URLs below /webhooks/')
    .action(async (urls: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'Webhook', urls, (url) => client.webhooks.get(url));
      context.exitCode = exitCode;
      if (found.length > 0)
        await context.printer(options).records(found.map(withUrl), { first: COLUMNS, many: urls.length > 1 });
    });
}
