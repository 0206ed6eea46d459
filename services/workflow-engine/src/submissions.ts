import { isFault, messageOf } from '@switchyard/base';
import type { FoundDefinitions, PreparedRequest } from '@switchyard/executions';
import type { TaskDispatch } from '@switchyard/workflow';
import type { ActionCommand } from '@switchyard/workflow-runs';
import { isUnknown, refusalText, requestOf } from './command-request';
import { type Engine, call, type RunEvent, type WorkflowRun } from './run';

/** An action command with its checked request, to be submitted once the step is in the journal. */
export interface Submission {
  readonly command: ActionCommand;
  readonly prepared: PreparedRequest;
}

/** With this many action commands, or conductor calls without one, a step ends. */
const MOST_SUBMISSIONS = 200;

/** Action commands that are checked together. */
const PREPARED_AT_A_TIME = 20;

/** Takes the next tasks from the conductor and reports them as running. @returns `more`: whether there may be others */
export async function nextSubmissions(
  engine: Engine,
  run: WorkflowRun,
): Promise<{ submissions: Submission[]; more: boolean }> {
  const submissions: Submission[] = [];
  for (let steps = 0; submissions.length < MOST_SUBMISSIONS && steps < MOST_SUBMISSIONS; steps++) {
    const tasks = await call(engine, run, (options) => run.conductor.nextTasks(options));
    if (tasks.length === 0) return { submissions, more: false };
    submissions.push(...(await submissionsOf(engine, run, tasks)));
    await engine.slice.next();
  }
  return { submissions, more: true };
}

async function submissionsOf(engine: Engine, run: WorkflowRun, tasks: readonly TaskDispatch[]): Promise<Submission[]> {
  const attempts = await attemptsAt(engine, run, commandsOf(tasks));
  const refused = attempts.filter((attempt) => 'message' in attempt);
  // No other task starts either: the run has failed.
  if (refused.length > 0) {
    const first = new Map(
      refused.map(({ command, ...why }) => [`${command.task}:${command.route}`, { ...command, ...why }]),
    );
    await call(engine, run, (options) => run.conductor.refuse([...first.values()], options));
    return [];
  }
  for (const task of tasks) await begin(engine, run, task);
  return attempts.filter((attempt) => 'prepared' in attempt);
}

const commandsOf = (tasks: readonly TaskDispatch[]): ActionCommand[] =>
  tasks.flatMap(({ task, route, round, attempt, timeout, itemsCount, actions }) =>
    actions.flatMap(({ action, input, item, delay }) =>
      action === null
        ? []
        : [
            {
              ...{ task, route, round, attempt, action, input: input ?? {} },
              ...(item === undefined ? {} : { item }),
              ...(itemsCount === undefined ? {} : { itemsCount }),
              ...(delay ? { delay } : {}),
              ...(timeout === undefined ? {} : { timeout }),
            },
          ],
    ),
  );

async function attemptsAt(engine: Engine, run: WorkflowRun, commands: readonly ActionCommand[]): Promise<Attempt[]> {
  const message = await refusalByTree(engine, run, commands.length);
  if (message !== undefined) return commands.map((command) => ({ command, message, isFinal: false }));
  const found: FoundDefinitions = new Map();
  const attempts: Attempt[] = [];
  for (let at = 0; at < commands.length; at += PREPARED_AT_A_TIME) {
    const some = commands.slice(at, at + PREPARED_AT_A_TIME);
    attempts.push(...(await Promise.all(some.map((command) => tryToPrepare(engine, run, command, found)))));
    await engine.slice.next();
  }
  return attempts;
}

/** Actions of an outermost workflow that are counted together, so that small workflows are not counted at all. */
const COUNTED_AT_A_TIME = 50;

/** Rollback and `finally` tasks are not counted: they cannot outnumber the tasks before them. */
async function refusalByTree(
  { executions, config }: Engine,
  run: WorkflowRun,
  count: number,
): Promise<string | undefined> {
  const { execution, conductor } = run;
  if (conductor.isCleaningUp || count === 0) return undefined;
  run.uncounted += count;
  const least = Math.min(COUNTED_AT_A_TIME, config.limits.max_tree_size);
  if (execution.nesting === undefined && run.uncounted < least) return undefined;
  const uncounted = run.uncounted;
  run.uncounted = 0;
  try {
    await executions.trees.add(execution, uncounted);
    return undefined;
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    return messageOf(error);
  }
}

/** A checked command, or why it is refused. */
type Attempt = Submission | { command: ActionCommand; message: string; isFinal: boolean };

async function tryToPrepare(
  engine: Engine,
  run: WorkflowRun,
  command: ActionCommand,
  found: FoundDefinitions,
): Promise<Attempt> {
  try {
    return { command, prepared: await prepareCommand(engine, run, command, found) };
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    return { command, message: refusalText(run, command, error), isFinal: isUnknown(error) };
  }
}

async function begin(
  engine: Engine,
  run: WorkflowRun,
  { task, route, round, attempt, actions, itemsCount }: TaskDispatch,
): Promise<void> {
  const event = { task, route, round, attempt };
  const isEmpty = itemsCount === undefined ? actions[0]?.action === null : itemsCount === 0;
  if (isEmpty || itemsCount === undefined)
    await call(engine, run, (options) => run.conductor.taskEvent({ ...event, status: 'running' }, options));
  if (isEmpty)
    return call(engine, run, (options) =>
      run.conductor.taskEvent({ ...event, status: 'succeeded', result: null }, options),
    );
  if (itemsCount === undefined) return;
  const events = actions.map(({ item }) => ({ ...event, status: 'running' as const, item: item! }));
  await call(engine, run, (options) => run.conductor.itemEvents(events, options));
}

/** The number of submissions in progress at a time. */
const AT_A_TIME = 50;

/**
 * Checks an action command without submitting it.
 * @param found definitions that were found for other commands of the same step
 * @throws Fault when the request would be refused
 */
const prepareCommand = (
  engine: Engine,
  run: WorkflowRun,
  command: ActionCommand,
  found: FoundDefinitions = new Map(),
): Promise<PreparedRequest> => engine.executions.prepare(requestOf(run, command, found));

/** Submits the action commands of a step. The step is in the journal, so recovery submits the rest after a crash. */
export async function submitAll(submissions: readonly Submission[]): Promise<void> {
  for (let at = 0; at < submissions.length; at += AT_A_TIME)
    await Promise.all(submissions.slice(at, at + AT_A_TIME).map(({ prepared }) => prepared.submit()));
}

/** Submits one action command of a restored run. @returns the event of its refusal if it can no longer be submitted */
export async function resubmit(engine: Engine, run: WorkflowRun, command: ActionCommand): Promise<RunEvent[]> {
  try {
    await (await prepareCommand(engine, run, command)).submit();
    return [];
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    return [{ refused: command, error: messageOf(error) }];
  }
}
