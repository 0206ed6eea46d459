import { setTimeout } from 'node:timers/promises';
import type { Client, Execution, StartedAlias } from '@switchyard/client';
import { exitCodes, interruptible, statusExitCode } from '../exit-codes';
import type { Printer } from '../output/printer';
import { RUN_ATTRIBUTES, showExecutions } from '../output/show-execution';
import type { CommandContext } from '../program/command-context';
import type { CommonOptions } from '../program/common-options';
import { checkStartOptions, type ExecutionDisplay } from '../program/execution-options';
import { tail } from './start';

export interface SayOptions extends CommonOptions {
  readonly user?: string;
}

export interface TestOptions extends SayOptions, ExecutionDisplay {
  readonly async?: boolean;
  readonly tail?: boolean;
  readonly delay?: number;
  readonly autoDict?: boolean;
}

/** `svc action-alias execute` */
export async function executeAlias(
  context: CommandContext,
  words: readonly string[],
  options: SayOptions,
): Promise<void> {
  const client = await context.client(options);
  await tellStarted(context, await say(client, words, options), options);
}

/** `svc action-alias test`: shows what a chat bot would post in the end. */
export async function testAlias(
  context: CommandContext,
  words: readonly string[],
  options: TestOptions,
): Promise<void> {
  checkStartOptions(options);
  const client = await context.client(options);
  await prepare(context.printer(options), options);
  const started = await say(client, words, options);
  if (options.async) return tellStarted(context, started, options);
  await tellResults(context, client, started, options);
}

const NO_AUTO_DICT = 'Note: --auto-dict has no effect here, because the server parses the parameters of a command.';

/** The server starts a command immediately, so the delay is applied before sending it. */
const prepare = (printer: Printer, { autoDict, delay = 0 }: TestOptions): Promise<void> =>
  interruptible(
    () => 'Nothing was started.',
    async (signal) => {
      if (autoDict) printer.note(NO_AUTO_DICT);
      if (delay > 0) await setTimeout(delay, undefined, { signal });
    },
  );

async function say(client: Client, words: readonly string[], { user }: SayOptions): Promise<StartedAlias[]> {
  const command = words.join(' ');
  return client.actionAliases.execute({
    command,
    user: user ?? (await client.user()).username,
    source_channel: 'cli',
  });
}

async function tellStarted(context: CommandContext, started: readonly StartedAlias[], options: SayOptions) {
  const printer = context.printer(options);
  if (printer.format) {
    const facts = started.map(({ execution: { id, status }, actionalias: { ref }, message }) => ({
      ...{ id, status, alias: ref },
      ...(message === undefined ? {} : { message }),
    }));
    return printer.document(facts.length === 1 ? facts[0] : facts);
  }
  for (const { execution, actionalias, message } of started) {
    printer.line(`Matching Action-alias: '${actionalias.ref}'`);
    if (message !== undefined) printer.line(message);
    printer.line(`To get the results, execute:\n svc execution get ${execution.id}`);
  }
}

const FORMATTER = 'chatops.format_execution_result';

interface Formatted {
  readonly enabled?: boolean;
  readonly message?: string;
}

async function tellResults(
  context: CommandContext,
  client: Client,
  started: readonly StartedAlias[],
  options: TestOptions,
): Promise<void> {
  const printer = context.printer(options);
  const ended: Execution[] = [];
  for (const { execution, actionalias } of started) {
    if (!printer.format) printer.line(`Matching Action-alias: '${actionalias.ref}'`);
    ended.push(await untilEnd(context, client, execution, options));
  }
  context.exitCode = Math.max(exitCodes.ok.code, ...ended.map(({ status }) => statusExitCode(status)));
  const posts: (Formatted & { id: string; status: string })[] = [];
  for (const { id, status } of ended) {
    const run = await client.executions.create({ action: FORMATTER, parameters: { execution_id: id } });
    const formatting = await untilEnd(context, client, run, { ...options, tail: false });
    if (formatting.status !== 'succeeded') return showFailure(context, client, formatting, options);
    posts.push({ id, status, ...resultOf(formatting) });
  }
  if (printer.format) return printer.document(posts.length === 1 ? posts[0] : posts);
  const { timezone } = context.settings();
  await showExecutions(printer, ended, options, { client, attributes: RUN_ATTRIBUTES, elapsed: false, timezone });
  printer.line('\nWhat a chat bot would post:');
  for (const { message } of posts) printer.line(message ?? 'The alias does not post its result.');
}

const resultOf = ({ result }: Execution): Formatted => (result as { result?: Formatted } | undefined)?.result ?? {};

function untilEnd(
  context: CommandContext,
  client: Client,
  execution: Execution,
  options: TestOptions,
): Promise<Execution> {
  const { id } = execution;
  const ownStream = context.printer(options).format !== undefined;
  return interruptible(
    () => `The execution continues: svc execution get ${id}, svc execution cancel ${id}.`,
    async (signal) => {
      if (options.tail) await tail(context, client, execution, { signal, ownStream });
      return client.executions.wait(id, { signal });
    },
  );
}

async function showFailure(context: CommandContext, client: Client, failed: Execution, options: TestOptions) {
  const { timezone } = context.settings();
  context.exitCode = statusExitCode(failed.status);
  await showExecutions(context.printer(options), [failed], options, { client, attributes: RUN_ATTRIBUTES, elapsed: false, timezone }); // oxfmt-ignore
}
