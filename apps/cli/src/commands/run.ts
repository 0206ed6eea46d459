import type { Command } from 'commander';
import {
  ApiError,
  isNotFound,
  isWorkflow,
  type Action,
  type Client,
  type Execution,
  type ExecutionRequest,
} from '@switchyard/client';
import { mergeParameters, type Definitions } from '@switchyard/model';
import { CommandError, statusExitCode, usageError } from '../exit-codes';
import { RUN_ATTRIBUTES, showExecutions, withExecutionDisplay, type ExecutionDisplay } from '../output/show-execution';
import type { Printer } from '../output/printer';
import { tailOutput, type TailOptions } from '../output/tail-output';
import { tailWorkflow } from '../output/tail-workflow';
import { showProgress } from '../output/task-progress';
import { inheritedEnvironment } from '../parameters/inherited-environment';
import { parameterHelp } from '../parameters/parameter-help';
import { parseWords } from '../parameters/parse-words';
import type { CommandContext } from '../program/command-context';
import { withRunDisplay, wholeNumber, type CommonOptions } from '../program/common-options';
import { interruptible } from '../program/interruptible';
import { tell } from '../program/get-each';
import { widthOf } from '../terminal';

export interface StartOptions extends CommonOptions, ExecutionDisplay {
  async?: boolean;
  tail?: boolean;
  watch?: boolean;
  autoDict?: boolean;
  inheritEnv?: boolean;
  delay?: number;
  pool?: string;
  user?: string;
  traceTag?: string;
  traceId?: string;
  help?: boolean;
}

/** `svc run`, and with `asynchronous` the same as `svc action execute`, which does not wait. */
export function defineRun(command: Command, context: CommandContext, asynchronous = false): void {
  withStartOptions(command)
    .argument('[ref]', 'the action, such as core.local')
    .argument('[parameters...]', 'key=value, @key=file, or words of a command')
    .option('-u, --user <name>', 'run as this user')
    .option('--trace-tag <tag>', 'name for everything that follows from this run')
    .option('--trace-id <id>', 'trace that this run belongs to; goes before --trace-tag')
    .option('--pool <label>', 'only on action runners with this label')
    .option('--tail', 'show the output while it runs')
    .helpOption(false)
    .option('-h, --help', 'show help; after REF, the parameters of that action')
    .action(async (ref: string | undefined, words: string[], options: StartOptions) => {
      if (ref === undefined && options.help) return command.outputHelp();
      if (ref === undefined) throw usageError('Say what to run: svc run REF [key=value ...]. See "svc run -h".');
      await run(
        context,
        ref,
        words,
        asynchronous && !options.tail && !options.withSchema ? { ...options, async: true } : options,
      );
    });
}

/** What every command takes that starts an execution. */
export const withStartOptions = (command: Command): Command =>
  withExecutionDisplay(withRunDisplay(command))
    .option('-a, --async', 'do not wait for the end')
    .option('--watch', 'tell on stderr how the tasks of a workflow go, also when that is no terminal')
    .option('-e, --inherit-env', 'pass on the environment of this shell as the parameter env')
    .option('--auto-dict', 'read a:1,b:2 in a list parameter as an object')
    .option('--delay <ms>', 'start that many milliseconds later', wholeNumber(0));

/** @throws CommandError for options that contradict each other, before anything is started */
export function checkStartOptions({ async, tail, watch, withSchema }: StartOptions): void {
  if (async && tail) throw usageError('Either --async or --tail.');
  if (async && withSchema) throw usageError('Either --async or --with-schema, which needs a result.');
  if (async && watch) throw usageError('Either --async or --watch.');
  if (tail && watch) throw usageError('Either --tail or --watch.');
}

async function run(
  context: CommandContext,
  ref: string,
  words: readonly string[],
  options: StartOptions,
): Promise<void> {
  const client = await context.client(options);
  const { action, definitions } = await describeAction(client, ref);
  if (options.help) {
    context.terminal.stdout.write(parameterHelp(action.description, definitions, widthOf(context.terminal)));
    return;
  }
  checkStartOptions(options);
  const parameters = startParameters(context, action, definitions, words, options);
  const { user, delay: delayMs, pool, traceTag: tag, traceId: id } = options;
  const request: ExecutionRequest = { action: action.ref, parameters, user, delayMs, pool, trace: { tag, id } };
  await follow(context, client, await client.executions.create(request), options);
}

/** Parameters from the words of a command line. */
export function startParameters(
  { terminal }: Pick<CommandContext, 'terminal'>,
  { ref, runner_type: runner }: Pick<Action, 'ref' | 'runner_type'>,
  definitions: Definitions,
  words: readonly string[],
  { autoDict, inheritEnv }: Pick<StartOptions, 'autoDict' | 'inheritEnv'>,
): Record<string, unknown> {
  const sendsFiles = ref === 'core.http' || runner === 'http-request';
  const parameters = parseWords(words, { definitions, autoDict, sendsFiles });
  return inheritEnv ? { env: inheritedEnvironment(terminal.env), ...parameters } : parameters;
}

/** The action and the definitions of all its parameters, the runner's included. */
export async function describeAction(
  client: Client,
  ref: string,
): Promise<{ action: Action; definitions: Definitions }> {
  const action = await client.actions.get(ref).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw new CommandError(`Action "${ref}" is not found. "svc action list" shows those that exist.`);
  });
  const runner = await client.runnerTypes.get(action.runner_type).catch((error: unknown) => {
    // Its parameters only help to type the values; a caller who may not see runners can run actions all the same.
    if (error instanceof ApiError && [403, 404].includes(error.status)) return undefined;
    throw error;
  });
  return { action, definitions: mergeParameters(runner?.runner_parameters ?? {}, action.parameters ?? {}) };
}

/** What happens after an execution was started: nothing more, or its result at the end, and with `--tail` its output as it comes. */
export async function follow(
  context: CommandContext,
  client: Client,
  execution: Execution,
  options: StartOptions,
): Promise<void> {
  const printer = context.printer(options);
  const { id } = execution;
  if (options.async) return tell(printer, asyncText(id), { id, status: execution.status });
  const hint = (): string => `The execution goes on: svc execution get ${id}, svc execution cancel ${id}.`;
  const ended = await interruptible(hint, async (signal) => {
    if (options.tail) await tail(context, client, execution, { signal, ownStream: printer.format !== undefined });
    else if (isWorkflow(execution) && wantsProgress(context, printer, options))
      await showProgress(context.terminal, client, id, signal);
    return client.executions.wait(id, { signal });
  });
  context.exitCode = statusExitCode(ended.status);
  if (options.tail && !printer.format) printer.line(`${completedText(ended)}\n`);
  const { timezone } = context.settings();
  await showExecutions(printer, [ended], options, { client, attributes: RUN_ATTRIBUTES, elapsed: false, timezone });
}

/** The output of an action, or of all actions of a workflow. */
export const tail = (
  { terminal }: Pick<CommandContext, 'terminal'>,
  client: Client,
  execution: Execution,
  options: TailOptions,
): Promise<void> =>
  isWorkflow(execution)
    ? tailWorkflow(terminal, client, execution, options)
    : tailOutput(terminal, client, execution.id, options);

/** On a terminal without being asked, unless the output is for a program. */
const wantsProgress = ({ terminal }: CommandContext, { format }: Printer, { watch }: StartOptions): boolean =>
  watch === true || (terminal.stderr.isTTY && terminal.stdout.isTTY && !format);

export const completedText = ({ id, status }: Execution): string =>
  `\nExecution ${id} has completed (status=${status}).`;

const asyncText = (id: string): string =>
  [
    'To get the results, execute:',
    ` svc execution get ${id}`,
    '',
    'To view output in real-time, execute:',
    ` svc execution tail ${id}`,
  ].join('\n');
