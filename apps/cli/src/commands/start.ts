import {
  ApiError,
  isNotFound,
  isWorkflow,
  type Action,
  type Client,
  type Execution,
  type ExecutionDraft,
} from '@switchyard/client';
import { mergeParameters, type ParameterDefinitions } from '@switchyard/model';
import { CommandError, interruptible, statusExitCode } from '../exit-codes';
import type { Printer } from '../output/printer';
import { RUN_ATTRIBUTES, showExecutions } from '../output/show-execution';
import { tailOutput, type TailOptions } from '../output/tail-output';
import { showProgress } from '../output/task-progress';
import { tailWorkflow } from '../output/tail-workflow';
import { parameterHelp } from '../parameters/parameter-help';
import { inheritedEnvironment, parseWords } from '../parameters/parse-words';
import type { CommandContext } from '../program/command-context';
import { checkStartOptions, type StartOptions } from '../program/execution-options';
import { tellUser } from '../program/show-records';
import { widthOf } from '../terminal';

/** Runs an action and shows its result, or shows the help about its parameters. */
export async function run(
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
  const request: ExecutionDraft = { action: action.ref, parameters, user, delayMs, pool, trace: { tag, id } };
  await follow(context, client, await client.executions.create(request), options);
}

/** Reads parameters from the words of a command line. */
export function startParameters(
  { terminal }: Pick<CommandContext, 'terminal'>,
  { ref, runner_type: runner }: Pick<Action, 'ref' | 'runner_type'>,
  definitions: ParameterDefinitions,
  words: readonly string[],
  { autoDict, inheritEnv }: Pick<StartOptions, 'autoDict' | 'inheritEnv'>,
): Record<string, unknown> {
  const sendsFiles = ref === 'core.http' || runner === 'http-request';
  const parameters = parseWords(words, { definitions, autoDict, sendsFiles });
  return inheritEnv ? { env: inheritedEnvironment(terminal.env), ...parameters } : parameters;
}

/** Reads an action and the definitions of all its parameters, including those of its runner. */
export async function describeAction(
  client: Client,
  ref: string,
): Promise<{ action: Action; definitions: ParameterDefinitions }> {
  const action = await client.actions.get(ref).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw new CommandError(`Action "${ref}" is not found. "svc action list" shows those that exist.`);
  });
  const runner = await client.runnerTypes.get(action.runner_type).catch((error: unknown) => {
    // Its parameters only determine types. A user who may not see runners can still run actions.
    if (error instanceof ApiError && [403, 404].includes(error.status)) return undefined;
    throw error;
  });
  return { action, definitions: mergeParameters(runner?.runner_parameters ?? {}, action.parameters ?? {}) };
}

/** Waits for a started execution and shows its result, with `--tail` also its output. With `--async` it only prints the id. */
export async function follow(
  context: CommandContext,
  client: Client,
  execution: Execution,
  options: StartOptions,
): Promise<void> {
  const printer = context.printer(options);
  const { id } = execution;
  if (options.async) return tellUser(printer, asyncText(id), { id, status: execution.status });
  const hint = (): string => `The execution continues: svc execution get ${id}, svc execution cancel ${id}.`;
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

/** Prints the output of an action, or of all actions of a workflow. */
export const tail = (
  { terminal }: Pick<CommandContext, 'terminal'>,
  client: Client,
  execution: Execution,
  options: TailOptions,
): Promise<void> =>
  isWorkflow(execution)
    ? tailWorkflow(terminal, client, execution, options)
    : tailOutput(terminal, client, execution.id, options);

/** Progress is the default on a terminal, unless the output is for a program. */
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
