import { isWaiting } from '@switchyard/executions';
import { isCancelable, isTerminal, type ExecutionRecord } from '@switchyard/model';
import { actionOfKey } from '@switchyard/workflow-runs';
import { tolerant, type Engine, type WorkflowRun } from './run';

/** Executions canceled with one write. */
const AT_A_TIME = 100;
/** The number of running executions to stop at a time. */
const ASKED_AT_A_TIME = 20;

/**
 * Cancels the actions of a run. Waiting actions are canceled in bulk. No message tells the run about these, so the caller has to apply
 * what this yields. Actions with a slot come last: a slot that became free earlier would be given to another
 * action of the same run.
 * @yields children that have ended without the run knowing
 */
export async function* cancelChildren(
  engine: Engine,
  run: WorkflowRun,
  user: string,
): AsyncGenerator<ExecutionRecord[]> {
  let waiting: ExecutionRecord[] = [];
  let worked: ExecutionRecord[] = [];
  let ended: ExecutionRecord[] = [];
  // At most as many as there are slots.
  const scheduled: ExecutionRecord[] = [];
  for await (const child of engine.executions.records.eachOfWorkflow(run.record._id)) {
    if (isTerminal(child.status)) ended.push(child);
    else if (isConcerned(engine, child) && !cleansUp(run, child))
      (child.slot !== undefined ? scheduled : isWaiting(child) ? waiting : worked).push(child);
    if (waiting.length >= AT_A_TIME) {
      yield await cancelAll(engine, run, waiting, user);
      waiting = [];
    }
    if (worked.length >= ASKED_AT_A_TIME) {
      await askAll(engine, worked, user);
      worked = [];
    }
    if (ended.length >= AT_A_TIME) {
      yield unknown(run, ended);
      ended = [];
    }
    await engine.slice.next();
  }
  yield await cancelAll(engine, run, waiting, user);
  yield await cancelAll(engine, run, scheduled.filter(isWaiting), user);
  await askAll(engine, [...scheduled.filter((child) => !isWaiting(child)), ...worked], user);
  yield unknown(run, ended);
}

/** Clean-up tasks of a canceled run do not belong to the tree. They run already if an engine died after it requested them. */
const cleansUp = ({ conductor }: WorkflowRun, { root }: ExecutionRecord): boolean =>
  root === undefined && conductor.isCleaningUp;

/** An option lets running actions finish. */
export const isConcerned = ({ config: { workflow_engine: options } }: Engine, child: ExecutionRecord): boolean =>
  isCancelable(child.status) && (options.cancel_running_actions || isHeld(child));

/** Children that do not end soon by themselves: inner workflows, delayed actions, open inquiries. */
const isHeld = ({ action_is_workflow: isWorkflow, status, delay = 0 }: ExecutionRecord): boolean =>
  isWorkflow || status === 'delayed' || status === 'pending' || (status === 'requested' && delay > 0);

/** Cancels those that have changed since they were read one by one. */
async function cancelAll(
  { executions }: Engine,
  run: WorkflowRun,
  waiting: readonly ExecutionRecord[],
  user: string,
): Promise<ExecutionRecord[]> {
  if (waiting.length === 0) return [];
  const moved = await executions.cancelWaiting(waiting, user, 'workflow-engine');
  const ids = new Set(moved.map(({ _id }) => _id));
  const others = waiting.filter(({ _id }) => !ids.has(_id));
  await askAll({ executions }, others, user);
  const now = await Promise.all(others.map(({ _id }) => executions.records.get(_id)));
  return [
    ...moved,
    ...unknown(
      run,
      now.filter((record) => record !== undefined),
    ),
  ];
}

async function askAll(
  { executions }: Pick<Engine, 'executions'>,
  children: readonly ExecutionRecord[],
  user: string,
): Promise<void> {
  for (let at = 0; at < children.length; at += ASKED_AT_A_TIME)
    await Promise.all(
      children.slice(at, at + ASKED_AT_A_TIME).map(({ _id }) => tolerant(() => executions.cancel(_id, user))),
    );
}

/** Another process may have canceled some of them before this one took over the run. */
const unknown = ({ history }: WorkflowRun, children: readonly ExecutionRecord[]): ExecutionRecord[] =>
  children.filter(({ status, request_key: key = '' }) => {
    const action = actionOfKey(key);
    return isTerminal(status) && action !== undefined && history.command(action) !== undefined;
  });
