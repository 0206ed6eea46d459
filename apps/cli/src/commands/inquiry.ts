import { isPlainObject } from '@switchyard/base';
import type { Client } from '@switchyard/client';
import type { Command } from 'commander';
import { CommandError } from '../exit-codes';
import { withLineReader } from '../forms/line-reader';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withDisplay, withFormats, withLast, type CommonOptions } from '../program/common-options';
import { defineGet } from '../program/resource-commands';
import { attributesFor, showPage, tellUser } from '../program/show-records';
import type { Terminal } from '../terminal';

const COLUMNS = ['id', 'roles', 'users', 'route', 'ttl'];
const SHOWN = [...COLUMNS, 'schema'];

const texts = {
  title: 'Inquiry',
  one: 'an inquiry',
  many: 'inquiries',
  by: { name: 'id', one: 'id', many: 'ids' },
  first: SHOWN,
  columns: SHOWN,
};

export function defineInquiry(group: Command, context: CommandContext): void {
  withLast(
    withDisplay(group.command('list').description('List inquiries that wait for an answer, newest last')),
  ).action(async ({ last: limit, ...options }: CommonOptions & { last: number }) => {
    const client = await context.client(options);
    const page = await client.inquiries.list({ limit, include: attributesFor(options.attr, COLUMNS) });
    await showPage(context.printer(options), page, COLUMNS, 'inquiry', 'inquiries');
  });
  defineGet(group, context, texts, (client, id) => client.inquiries.get(id));
  withFormats(withCredentials(group.command('respond').description('Answer an inquiry')))
    .argument('<id>', 'id of an inquiry')
    .option('-r, --response <json>', 'Send this JSON object instead of prompting for the answer')
    .action(async (id: string, { response, ...options }: CommonOptions & { response?: string }) => {
      const client = await context.client(options);
      const given = response === undefined ? await askFor(context.terminal, client, id) : parsed(response);
      const answer = await client.inquiries.respond(id, given);
      await tellUser(context.printer(options), `Response accepted for inquiry ${id}.`, { ...answer });
    });
}

/** Asks for each property in the schema of the answer. */
async function askFor(terminal: Terminal, client: Client, id: string): Promise<Record<string, unknown>> {
  const { askObject } = await import('../forms/ask-object.js');
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
  if (!isPlainObject(value)) throw new CommandError('The response must be a JSON object.');
  return value;
}
