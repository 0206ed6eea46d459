import { isFault, messageOf, SECOND_MS, type Fault } from '@switchyard/base';
import type { ExecutionRequest, FoundDefinitions, PreparedRequest, WorkflowTask } from '@switchyard/executions';
import { SecretTexts } from '@switchyard/model';
import type { TaskDispatch } from '@switchyard/workflow';
import { requestKeyOf, taskIdOf, type ActionCommand } from '@switchyard/workflow-runs';
import { chainContext, chainNodeOf, chainNotify, chainRefusal, readsSecretConfig } from './chain-nodes';
import { alongWith, type Engine, call, userOf, type WorkflowRun } from './run';

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
    return { command, prepared: await engine.executions.prepare(requestOf(run, command, found)) };
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    return { command, message: refusalText(run, command, error), isFinal: isUnknown(error) };
  }
}

/** There is no such action. */
const isUnknown = ({ code }: Fault): boolean => code === 'execution.action-not-found';

/** The reason why an action cannot be requested, in the wording that clients of StackStorm expect. */
function refusalText({ definition }: WorkflowRun, command: ActionCommand, fault: Fault): string {
  if (definition.chain) return chainRefusal(command, fault, isUnknown(fault));
  return isUnknown(fault)
    ? `InvalidActionReferencedException: Unable to find action "${command.action}".`
    : `ValueError: ${messageOf(fault)}`;
}

/** The request for the action of a command. @param found definitions that other commands of the same step have found */
export function requestOf(run: WorkflowRun, command: ActionCommand, found: FoundDefinitions): ExecutionRequest {
  const { record, execution } = run;
  const user = userOf(execution);
  return {
    action: command.action,
    parameters: { ...command.input },
    // The workflow has rendered them. Anything that still looks like a template is data.
    literal: Object.keys(command.input),
    derivedSecrets: secretInputs(run, command),
    user,
    context: contextOf(run, command),
    requestKey: requestKeyOf(record._id, command),
    priority: execution.priority,
    workflow: {
      ...{ workflow: record._id, task: taskIdOf(record._id, command), parent: execution },
      isApart: execution.status === 'canceling',
      ...{ user, ...notifyOf(run, command), found },
    },
    ...(command.delay === undefined ? {} : { delay: Math.round(command.delay * SECOND_MS) }),
  };
}

/**
 * Names of a task's inputs that contain a secret: their templates read one from the configuration of a chain, or one
 * was found in their values. A value that was derived from a secret through a variable is not found if the secret cannot
 * be recognized in it.
 */
function secretInputs({ secrets: { texts, config }, definition }: WorkflowRun, command: ActionCommand): string[] {
  if (texts.length === 0) return [];
  const secrets = new SecretTexts(texts);
  return Object.keys(command.input).filter(
    (name) =>
      (config && readsSecretConfig(definition, command, name, config)) || secrets.holdsSecret(command.input[name]),
  );
}

function contextOf({ record, execution, definition }: WorkflowRun, command: ActionCommand): Record<string, unknown> {
  const { user, pack } = execution.context;
  const along = alongWith(execution.context);
  const parent = { execution_id: execution._id, user, pack, ...along };
  if (definition.chain)
    return { parent: { ...outerOf(execution), ...parent }, chain: chainContext(definition, command), ...along };
  return {
    parent,
    orquesta: {
      workflow_execution_id: record._id,
      task_execution_id: taskIdOf(record._id, command),
      task_name: command.task,
      task_id: command.task,
      task_route: command.route,
      ...(command.item === undefined ? {} : { item_id: command.item, items_count: command.itemsCount }),
    },
    ...along,
  };
}

/** A node of a chain also sees which task of which workflow the chain is. */
const outerOf = ({ context }: WorkflowRun['execution']): Record<string, unknown> =>
  Object.fromEntries(
    ['parent', 'orquesta', 'chain'].filter((name) => name in context).map((name) => [name, context[name]]),
  );

/** The workflow decides which of its tasks send notifications; of these, an action with sections of its own sends them. */
function notifyOf(
  { record: { options }, execution, definition }: WorkflowRun,
  command: ActionCommand,
): Pick<WorkflowTask, 'notify' | 'mayReplaceNotify'> {
  const { notify: own = {} } = execution;
  const sends = definition.chain
    ? !options.skip_notify.includes(chainNodeOf(definition, command))
    : execution.notify !== undefined && options.notify.includes(command.task);
  if (!sends) return { notify: {}, mayReplaceNotify: false };
  return { notify: definition.chain ? chainNotify(definition, command, own) : own, mayReplaceNotify: true };
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

/** Submits the action commands of a step. The step is in the journal, so recovery submits the rest after a crash. */
export async function submitAll(submissions: readonly Submission[]): Promise<void> {
  for (let at = 0; at < submissions.length; at += AT_A_TIME)
    await Promise.all(submissions.slice(at, at + AT_A_TIME).map(({ prepared }) => prepared.submit()));
}
