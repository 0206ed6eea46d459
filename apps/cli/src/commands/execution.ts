import type { Command } from 'commander';
import { operation, usageError } from '../exit-codes';
import type { Client, RerunRequest } from '@switchyard/client';
import { showProgress } from '../output/task-progress';
import { GET_ATTRIBUTES, showExecutions, withExecutionDisplay, type ExecutionDisplay } from '../output/show-execution';
import type { CommandContext } from '../program/command-context';
import { interruptible } from '../program/interruptible';
import { names, withDisplay, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/get-each';
import { defineExecutionCancel, defineExecutionPause, defineExecutionResume } from './execution-change';
import { defineExecutionList } from './execution-list';
import { defineExecutionOutput, defineExecutionTail } from './execution-output';
import { checkStartOptions, describeAction, follow, startParameters, withStartOptions, type StartOptions } from './run';

export function defineExecution(group: Command, context: CommandContext): void {
  defineExecutionList(group, context);
  defineGet(group, context);
  defineExecutionCancel(group, context);
  defineExecutionPause(group, context);
  defineExecutionResume(group, context);
  defineExecutionOutput(group, context);
  defineExecutionTail(group, context);
  defineRerun(group, context);
}

interface GetOptions extends CommonOptions, ExecutionDisplay {
  excludeResult?: boolean;
  watch?: boolean;
}

function defineGet(group: Command, context: CommandContext): void {
  withExecutionDisplay(withDisplay(group.command('get').description('show executions, and the tasks of workflows')))
    .argument('<id...>', 'ids of executions')
    .option('-x, --exclude-result', 'leave out the result, which may be large')
    .option('--watch', 'wait until they have ended, and show on stderr how the tasks of workflows go')
    .action((ids: string[], options: GetOptions) => get(context, ids, options));
}

async function get(context: CommandContext, ids: readonly string[], options: GetOptions): Promise<void> {
  const client = await context.client(options);
  const attributes = options.excludeResult ? { exclude: ['result'] } : {};
  const { found, exitCode } = await getEach(context, 'Execution', ids, async (id) => {
    if (options.watch) await watch(context, client, id);
    return client.executions.get(id, attributes);
  });
  context.exitCode = exitCode;
  if (found.length === 0) return;
  const { timezone } = context.settings();
  await showExecutions(context.printer(options), found, options, {
    client,
    attributes: GET_ATTRIBUTES,
    elapsed: true,
    timezone,
    many: ids.length > 1,
  });
}

const watch = (context: CommandContext, client: Client, id: string): Promise<void> =>
  interruptible(
    () => `The execution goes on: svc execution get ${id}.`,
    (signal) => showProgress(context.terminal, client, id, signal),
  );

interface RerunOptions extends StartOptions {
  tasks?: string[];
  /** Those that `--no-reset` names; `true` without it, as the parser has it for options that begin with "no". */
  reset?: string[] | true;
}

function defineRerun(group: Command, context: CommandContext): void {
  withStartOptions(group.command('re-run').description('run an execution again, with other parameters where given'))
    .argument('<id>', 'id of the execution to repeat')
    .argument('[parameters...]', 'key=value: parameters to change')
    .option('--tail', 'show the output while it runs')
    .option('--tasks <names>', 'only these tasks of the workflow, and what follows from them', names)
    .option('--no-reset <names>', 'of these tasks, only the items that have not succeeded', keptNames)
    .action(async (id: string, words: string[], options: RerunOptions) => {
      checkStartOptions(options);
      const again = tasksAgain(options);
      const client = await context.client(options);
      const former = await client.executions.get(id, { include: ['action.ref', 'action.runner_type'] });
      const typed = words.length > 0 ? await describeAction(client, former.action.ref) : undefined;
      const parameters = typed ? startParameters(context, typed.action, typed.definitions, words, options) : {};
      const rerun = client.executions.rerun(id, { parameters, delayMs: options.delay, ...again });
      await follow(context, client, await operation(rerun), options);
    });
}

const keptNames = (text: string, before: string[] | true | undefined): string[] =>
  names(text, Array.isArray(before) ? before : undefined);

/** Tasks are run again in full, unless `--no-reset` names them. */
function tasksAgain({ tasks = [], reset }: RerunOptions): Pick<RerunRequest, 'tasks' | 'reset'> {
  const kept = Array.isArray(reset) ? reset : [];
  const unknown = kept.filter((name) => !tasks.includes(name));
  if (unknown.length > 0)
    throw usageError(
      `--no-reset is about tasks that are named by --tasks as well; these are not: ${unknown.join(', ')}.`,
    );
  return { tasks, reset: tasks.filter((name) => !kept.includes(name)) };
}
