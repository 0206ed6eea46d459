import { isPlainObject } from '@switchyard/base';
import type { Client } from '@switchyard/client';
import type { Command } from 'commander';
import { CommandError } from '../exit-codes';
import { askObject } from '../forms/ask-object';
import { withLineReader } from '../forms/line-reader';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withDisplay, withFormats, type CommonOptions } from '../program/common-options';
import { getEach, tell } from '../program/get-each';
import { attributesFor, lastCount, moreNote } from '../program/list-pages';
import type { Terminal } from '../terminal';

const COLUMNS = ['id', 'roles', 'users', 'route', 'ttl'];
const SHOWN = [...COLUMNS, 'schema'];

export function defineInquiry(group: Command, context: CommandContext): void {
  defineList(group, context);
  withDisplay(group.command('get').description('show questions that wait for an answer'))
    .argument('<id...>', 'ids of inquiries')
    .action(async (ids: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'Inquiry', ids, (id) => client.inquiries.get(id));
      context.exitCode = exitCode;
      if (found.length > 0)
        await context.printer(options).records(found, { columns: SHOWN, first: SHOWN, many: ids.length > 1 });
    });
  withFormats(withCredentials(group.command('respond').description('answer a question')))
    .argument('<id>', 'id of the inquiry')
    .option('-r, --response <json>', 'the answer, a JSON object; asked for unless given')
    .action(async (id: string, { response, ...options }: CommonOptions & { response?: string }) => {
      const client = await context.client(options);
      const given = response === undefined ? await askFor(context.terminal, client, id) : parsed(response);
      const answer = await client.inquiries.respond(id, given);
      await tell(context.printer(options), `Response accepted for inquiry ${id}.`, { ...answer });
    });
}

function defineList(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list questions that wait for an answer, the newest last'))
    .option('-n, --last <count>', 'how many; -1 for all', lastCount, 50)
    .action(async ({ last: limit, ...options }: CommonOptions & { last: number }) => {
      const client = await context.client(options);
      const { items, total } = await client.inquiries.list({ limit, include: attributesFor(options.attr, COLUMNS) });
      const printer = context.printer(options);
      await printer.list(items, COLUMNS);
      if (!printer.format && total !== undefined && total > items.length)
        printer.note(moreNote(items.length, 'inquiry', 'inquiries'));
    });
}

/** Asks for each property of the answer's schema. */
async function askFor(terminal: Terminal, client: Client, id: string): Promise<Record<string, unknown>> {
  const { schema } = await client.inquiries.get(id);
  return withLineReader(terminal, (reader) => askObject(reader, schema));
}

function parsed(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandError('The response is not valid JSON.', undefined, { cause: error });
  }
  if (!isPlainObject(value)) throw new CommandError('The response has to be a JSON object.');
  return value;
}
