import { Argument, Option, type Command } from 'commander';
import type { Client, Execution, ListQuery } from '@switchyard/client';
import { operation, statusExitCode, CommandError, exitCodes } from '../exit-codes';
import {
  GET_ATTRIBUTES,
  showExecutions,
  withExecutionDisplay,
  withNote,
  type ExecutionDisplay,
} from '../output/show-execution';
import { tailOutput } from '../output/tail-output';
import type { Printer } from '../output/printer';
import { widthOf } from '../terminal';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withDisplay, withFormats, wholeNumber, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/get-each';
import { interruptible } from '../program/interruptible';
import { completedText, describeAction, follow, startParameters, withStartOptions, type StartOptions } from './run';

export function defineExecution(group: Command, context: CommandContext): void {
  defineList(group, context);
  defineGet(group, context);
  defineCancel(group, context);
  defineOutput(group, context);
  defineTail(group, context);
  defineRerun(group, context);
}

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

function defineList(group: Command, context: CommandContext): void {
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
      const rows = printer.format ? items : items.map((execution) => withNote(execution));
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

function defineGet(group: Command, context: CommandContext): void {
  withExecutionDisplay(withDisplay(group.command('get').description('show executions')))
    .argument('<id...>', 'ids of executions')
    .option('-x, --exclude-result', 'leave out the result, which may be large')
    .action(async (ids: string[], options: CommonOptions & ExecutionDisplay & { excludeResult?: boolean }) => {
      const client = await context.client(options);
      const attributes = options.excludeResult ? { exclude: ['result'] } : {};
      const { found, exitCode } = await getEach(context, 'Execution', ids, (id) =>
        client.executions.get(id, attributes),
      );
      context.exitCode = exitCode;
      if (found.length === 0) return;
      const { timezone } = context.settings();
      await showExecutions(context.printer(options), found, options, {
        attributes: GET_ATTRIBUTES,
        elapsed: true,
        timezone,
        many: ids.length > 1,
      });
    });
}

function defineCancel(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('cancel').description('cancel executions')))
    .argument('<id...>', 'ids of executions')
    .action(async (ids: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const printer = context.printer(options);
      const asked: Execution[] = [];
      for (const id of ids) asked.push(await operation(client.executions.cancel(id)));
      if (printer.format) return printer.document(asked.map(({ id, status }) => ({ id, status })));
      for (const { id } of asked) printer.line(`execution with id ${id} canceled.`);
    });
}

function defineOutput(group: Command, context: CommandContext): void {
  withCredentials(group.command('output').description('print what an execution has printed so far'))
    .argument('<id>', 'id of an execution')
    .option('--type <type>', 'only this kind: stdout, stderr, ...')
    .action(async (id: string, options: CommonOptions & { type?: string }) => {
      const client = await context.client(options);
      context.terminal.stdout.write(await client.executions.output(id, options.type));
    });
}

interface TailCommandOptions extends CommonOptions {
  type?: string;
  includeMetadata?: boolean;
}

function defineTail(group: Command, context: CommandContext): void {
  withCredentials(group.command('tail').description('show the output of an execution until it ends'))
    .addArgument(new Argument('[id]', 'id of an execution').default('last'))
    .option('--type <type>', 'only this kind: stdout, stderr, ...')
    .option('--include-metadata', 'begin each piece with its time and kind')
    .action(async (given: string, options: TailCommandOptions) => {
      const client = await context.client(options);
      const id = given === 'last' ? await newest(client) : given;
      const ended = await interruptible(
        () => `The execution goes on: svc execution get ${id}.`,
        async (signal) => {
          const { type, includeMetadata: metadata } = options;
          await tailOutput(context.terminal, client, id, { signal, type, metadata });
          return client.executions.wait(id, { signal, attributes: { include: ['status'] } });
        },
      );
      context.terminal.stdout.write(`${completedText(ended)}\n`);
      context.exitCode = statusExitCode(ended.status);
    });
}

async function newest(client: Client): Promise<string> {
  const { items } = await client.executions.list({ limit: 1, filters: { sort_desc: 'True' }, include: ['id'] });
  const [execution] = items;
  if (!execution) throw new CommandError('There are no executions yet.', exitCodes.failed.code);
  return execution.id;
}

function defineRerun(group: Command, context: CommandContext): void {
  withStartOptions(group.command('re-run').description('run an execution again, with other parameters where given'))
    .argument('<id>', 'id of the execution to repeat')
    .argument('[parameters...]', 'key=value: parameters to change')
    .option('--tail', 'show the output while it runs')
    .action(async (id: string, words: string[], options: StartOptions) => {
      const client = await context.client(options);
      const former = await client.executions.get(id, { include: ['action.ref', 'action.runner_type'] });
      const typed = words.length > 0 ? await describeAction(client, former.action.ref) : undefined;
      const parameters = typed ? startParameters(context, typed.action, typed.definitions, words, options) : {};
      const rerun = client.executions.rerun(id, { parameters, delayMs: options.delay });
      await follow(context, client, await operation(rerun), options);
    });
}
