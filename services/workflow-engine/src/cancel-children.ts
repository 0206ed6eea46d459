import { slices } from '@switchyard/base';
import { actionOfKey, isWaiting } from '@switchyard/executions';
import { isCancelable, isTerminal, type ExecutionRecord } from '@switchyard/model';
import type { Engine } from './engine';
import type { Run } from './run';
import { tolerant } from './tolerant';

/** So many are canceled with one write. */
const AT_A_TIME = 50;
/** So many that are worked on are asked to stop at a time. */
const ASKED_AT_A_TIME = 20;

/**
 * Cancels what a run has requested, as far as it is to be canceled. Those that wait are canceled many at a time; no message brings
 * them back to the run, which has to be told of what this yields.
 * @yields children that have ended, of which the run does not know yet
 */
export async function* cancelChildren(engine: Engine, run: Run, user: string): AsyncGenerator<ExecutionRecord[]> {
  let waiting: ExecutionRecord[] = [];
  let worked: ExecutionRecord[] = [];
  let ended: ExecutionRecord[] = [];
  const slice = slices();
  for await (const child of engine.store.executions.eachOfWorkflow(run.record._id)) {
    if (isTerminal(child.status)) ended.push(child);
    else if (isConcerned(engine, child)) (isWaiting(child) ? waiting : worked).push(child);
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
    await slice.next();
  }
  yield await cancelAll(engine, run, waiting, user);
  await askAll(engine, worked, user);
  yield unknown(run, ended);
}

/** What is under way may be left to come to its end. */
const isConcerned = ({ config: { workflow_engine: options } }: Engine, child: ExecutionRecord): boolean =>
  isCancelable(child.status) && (options.cancel_running_actions || isHeld(child));

/** What does not come to an end by itself, or not soon: inner workflows, actions that are delayed, open questions. */
const isHeld = ({ action_is_workflow: isWorkflow, status, delay = 0 }: ExecutionRecord): boolean =>
  isWorkflow || status === 'delayed' || status === 'pending' || (status === 'requested' && delay > 0);

/** Those that have changed since they were read are asked one by one. */
async function cancelAll(
  { executions, store }: Engine,
  run: Run,
  waiting: readonly ExecutionRecord[],
  user: string,
): Promise<ExecutionRecord[]> {
  if (waiting.length === 0) return [];
  const moved = await executions.cancelWaiting(waiting, user, 'workflow-engine');
  const ids = new Set(moved.map(({ _id }) => _id));
  const others = waiting.filter(({ _id }) => !ids.has(_id));
  await askAll({ executions }, others, user);
  const now = await Promise.all(others.map(({ _id }) => store.executions.get(_id)));
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
  await Promise.all(children.map(({ _id }) => tolerant(() => executions.cancel(_id, user))));
}

/** Another process may have canceled some for the run before it was taken on here. */
const unknown = ({ history }: Run, children: readonly ExecutionRecord[]): ExecutionRecord[] =>
  children.filter(({ status, request_key: key = '' }) => {
    const action = actionOfKey(key);
    return isTerminal(status) && action !== undefined && history.order(action) !== undefined;
  });
