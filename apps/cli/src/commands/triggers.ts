import type { Trigger, TriggerType } from '@switchyard/client';
import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withDisplay, withPack, type CommonOptions } from '../program/common-options';
import { defineGet, defineResource, type ResourceKind } from '../program/resource-commands';
import { attributesFor } from '../program/show-records';

/** The command calls trigger types "triggers", as users do. */
const types: ResourceKind<TriggerType> = {
  title: 'Trigger',
  one: 'a trigger',
  many: 'triggers',
  first: ['id', 'uid', 'ref', 'pack', 'name', 'description', 'parameters_schema', 'payload_schema'],
  of: (client) => client.triggerTypes,
};

const COLUMNS = ['ref', 'pack', 'description'];
const SPEC_COLUMNS = ['id', 'ref', 'type', 'parameters'];

export function defineTrigger(group: Command, context: CommandContext): void {
  withPack(withDisplay(group.command('list').description('List triggers'))).action(
    async (options: CommonOptions & { pack?: string }) => {
      const client = await context.client(options);
      const include = attributesFor(options.attr, COLUMNS);
      const found = await client.triggerTypes.list({ include, filters: { pack: options.pack } });
      await context.printer(options).list(found, COLUMNS);
    },
  );
  defineResource(group, context, types);
  withDisplay(group.command('getspecs').description('List the triggers that rules listen to, with their parameters'))
    .argument('[ref]', 'limit to this trigger')
    .action(async (ref: string | undefined, options: CommonOptions) => {
      const client = await context.client(options);
      await context.printer(options).list(await client.triggers.list({ type: ref }), SPEC_COLUMNS);
    });
}

const WEBHOOK_COLUMNS = ['url', 'type', 'description'];

export function defineWebhook(group: Command, context: CommandContext): void {
  withPack(withDisplay(group.command('list').description('List webhooks'))).action(
    async (options: CommonOptions & { pack?: string }) => {
      const client = await context.client(options);
      const found = await client.webhooks.list({ pack: options.pack });
      await context.printer(options).list(found.map(withUrl), WEBHOOK_COLUMNS);
    },
  );
  const by = { name: 'url', one: 'URL', many: 'URLs, without /webhooks/,' };
  const texts = { title: 'Webhook', one: 'a webhook', many: 'webhooks', by, first: WEBHOOK_COLUMNS };
  defineGet(group, context, texts, async (client, url) => withUrl(await client.webhooks.get(url)));
}

/** The URL is one of the trigger's parameters. */
const withUrl = (trigger: Trigger): Record<string, unknown> => ({ url: trigger.parameters['url'], ...trigger });

const TIMER_COLUMNS = ['id', 'uid', 'pack', 'name', 'type', 'parameters'];

export function defineTimer(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('List timers'))
    .option(
      '--timer-type <type>',
      'Limit to this type: core.st2.IntervalTimer, core.st2.DateTimer or core.st2.CronTimer (-ty)',
    )
    .action(async ({ timerType, ...options }: CommonOptions & { timerType?: string }) => {
      const client = await context.client(options);
      await context.printer(options).list(await client.timers.list({ type: timerType }), TIMER_COLUMNS);
    });
  const texts = { title: 'Timer', one: 'a timer', many: 'timers', first: TIMER_COLUMNS };
  defineGet(group, context, texts, (client, ref) => client.timers.get(ref));
}
