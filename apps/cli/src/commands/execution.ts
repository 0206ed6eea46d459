import type { Command } from 'commander';
import { usageError, interruptible } from '../exit-codes';
import type { Client, RerunDraft } from '@switchyard/client';
import { showProgress } from '../output/task-progress';
import {
  withExecutionDisplay,
  type ExecutionDisplay,
  checkStartOptions,
  withStartOptions,
  type StartOptions,
} from '../program/execution-options';
import { GET_ATTRIBUTES, showExecutions } from '../output/show-execution';
import type { CommandContext } from '../program/command-context';
import { names, withDisplay, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/show-records';
import { defineExecutionCancel, defineExecutionPause, defineExecutionResume } from './execution-change';
import { defineExecutionList } from './execution-list';
import { defineExecutionOutput, defineExecutionTail } from './execution-output';
import { describeAction, follow, startParameters } from './start';

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
  withExecutionDisplay(withDisplay(group.command('get').description('Show executions with the tasks of workflows')))
    .argument('<id...>', 'ids of executions')
    .option('-x, --exclude-result', 'Do not show the result, which may be large')
    .option('--watch', 'Wait until they have ended, and report the progress of workflow tasks on stderr')
    .action((ids: string[], options: GetOptions) => get(context, ids, options));
}

async function get(context: CommandContext, ids: readonly string[], options: GetOptions): Promise<void> {
  const client = await context.client(options);
  const attributes = options.excludeResult ? { exclude: ['result'] } : {};
  const found = await getEach(context, 'Action Execution', ids, async (id) => {
    if (options.watch) await watch(context, client, id);
    return client.executions.get(id, attributes);
  });
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
    () => `The execution continues: svc execution get ${id}.`,
    (signal) => showProgress(context.terminal, client, id, signal),
  );

interface RerunOptions extends StartOptions {
  tasks?: string[];
  /** The tasks that `--no-reset` names. Without it the parser sets `true`, because the option starts with "no". */
  reset?: string[] | true;
}

function defineRerun(group: Command, context: CommandContext): void {
  withStartOptions(group.command('re-run').description('Run an execution again, optionally with other parameters'))
    .argument('<id>', 'id of the execution to run again')
    .argument('[parameters...]', 'parameters to change, as key=value')
    .option('--tail', 'Show the output while it runs')
    .option('--tasks <names>', 'Run only these tasks of the workflow and the tasks after them', names)
    .option('--no-reset <names>', 'Run only those items of these tasks that have not succeeded', keptNames)
    .action(async (id: string, words: string[], options: RerunOptions) => {
      checkStartOptions(options);
      const again = tasksAgain(options);
      const client = await context.client(options);
      const former = await client.executions.get(id, { include: ['action.ref', 'action.runner_type'] });
      const typed = words.length > 0 ? await describeAction(client, former.action.ref) : undefined;
      const parameters = typed ? startParameters(context, typed.action, typed.definitions, words, options) : {};
      const rerun = client.executions.rerun(id, { parameters, delayMs: options.delay, ...again });
      await follow(context, client, await rerun, options);
    });
}

const keptNames = (text: string, before: string[] | true | undefined): string[] =>
  names(text, Array.isArray(before) ? before : undefined);

/** Tasks run again in full, unless `--no-reset` names them. */
function tasksAgain({ tasks = [], reset }: RerunOptions): Pick<RerunDraft, 'tasks' | 'reset'> {
  const kept = Array.isArray(reset) ? reset : [];
  const unknown = kept.filter((name) => !tasks.includes(name));
  if (unknown.length > 0)
    throw usageError(
      `--no-reset only takes tasks that --tasks names as well. Missing in --tasks: ${unknown.join(', ')}.`,
    );
  return { tasks, reset: tasks.filter((name) => !kept.includes(name)) };
}
