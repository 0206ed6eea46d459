import type { Command } from 'commander';
import { exitCodes } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay, withLast, type CommonOptions } from '../program/common-options';
import { defineGet } from '../program/resource-commands';
import { attributesFor, showPage, tellUser } from '../program/show-records';

const COLUMNS = ['time', 'user', 'address', 'operation', 'resource', 'outcome', 'status'];
const FIRST = ['id', 'kind', ...COLUMNS];

const texts = {
  title: 'Audit record',
  one: 'a record of the audit trail',
  many: 'records of the audit trail',
  by: { name: 'id', one: 'id', many: 'ids' },
  first: FIRST,
};

interface ListOptions extends CommonOptions {
  last: number;
  kind?: string;
  user?: string;
  address?: string;
  operation?: string;
  resource?: string;
  resourceType?: string;
  outcome?: string;
  timestampGt?: string;
  timestampLt?: string;
}

export function defineAudit(group: Command, context: CommandContext): void {
  defineList(group, context);
  defineGet(group, context, texts, (client, id) => client.audit.get(id));
  defineVerify(group, context);
}

function defineList(group: Command, context: CommandContext): void {
  withLast(withDisplay(group.command('list').description('List who did what, the newest first')))
    .option('--kind <kind>', 'Limit to change, login, refusal, secrets, checkpoint or retention')
    .option('--user <name>', 'Limit to this user')
    .option('--address <address>', 'Limit to clients with this address')
    .option('--operation <id>', 'Limit to this operation, such as rules.post')
    .option('--resource-type <type>', 'Limit to resources of this type, such as rule')
    .option('--resource <ref>', 'Limit to this reference or id')
    .option('--outcome <outcome>', 'Limit to succeeded, failed or refused')
    .option('--timestamp-gt <time>', 'Limit to times after this one, such as 2026-01-31T12:00:00.000Z (-tg)')
    .option('--timestamp-lt <time>', 'Limit to times before this one (-tl)')
    .action(async (options: ListOptions) => {
      const { kind, user, address, operation, resource, resourceType, outcome } = options;
      const client = await context.client(options);
      const page = await client.audit.list({
        limit: options.last,
        include: attributesFor(options.attr, COLUMNS),
        filters: {
          ...{ kind, user, address, operation, resource, resource_type: resourceType, outcome },
          ...{ time_gt: options.timestampGt, time_lt: options.timestampLt },
        },
      });
      await showPage(context.printer(options), page, COLUMNS, 'audit record');
    });
}

function defineVerify(group: Command, context: CommandContext): void {
  withDisplay(group.command('verify').description('Check that no record is missing or altered'))
    .addHelpText('after', '\nThe exit code is 1 if one is.')
    .action(async (options: CommonOptions) => {
      const client = await context.client(options);
      const check = await client.audit.verify();
      const { intact, records, writers, first_bad: bad, problem } = check;
      const sentence = intact
        ? `The audit trail is intact: ${records} records of ${writers} writers.`
        : `The audit trail is damaged. First bad record: ${bad}. ${problem}`;
      await tellUser(context.printer(options), sentence, check);
      if (!intact) context.exitCode = exitCodes.failed.code;
    });
}
