import { isFault } from '@switchyard/base';
import { isCancelable, isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import type { Engine } from './engine';
import type { Run } from './run';
import { userOf } from './user-of';

/** Passes on to the run's actions what its user wants of the run. Doing it again changes nothing. */
export async function passOn(engine: Engine, run: Run, wished: Status): Promise<void> {
  const step = STEPS[wished];
  if (step === undefined) return;
  const user = userOf(run.execution, step.by);
  const children = await engine.store.executions.ofWorkflow(run.record._id);
  for (const child of children.filter((each) => step.concerns(each, engine)))
    await tolerant(() => step.ask(engine, child, user));
  if (wished === 'canceling') await cancelRoot(engine, run, user);
}

interface WishStep {
  /** Name in the context of who wanted it. */
  by: string;
  concerns(child: ExecutionRecord, engine: Engine): boolean;
  ask(engine: Engine, child: ExecutionRecord, user: string): Promise<unknown>;
}

const STEPS: Readonly<Partial<Record<Status, WishStep>>> = {
  canceling: {
    by: 'cancelled_by',
    concerns: (child, { config: { workflow_engine: options } }) =>
      isCancelable(child.status) && (options.cancel_running_actions || isHeld(child)),
    ask: ({ executions }, { _id }, user) => executions.cancel(_id, user),
  },
  pausing: {
    by: 'paused_by',
    concerns: ({ status, action_is_workflow: isWorkflow }) => isWorkflow && status === 'running',
    ask: ({ executions }, { _id }, user) => executions.update(_id, { status: 'pausing' }, user),
  },
  resuming: {
    by: 'resumed_by',
    concerns: ({ status, action_is_workflow: isWorkflow }) => isWorkflow && status === 'paused',
    ask: ({ executions }, { _id }, user) => executions.update(_id, { status: 'resuming' }, user),
  },
};

/** What does not come to an end by itself, or not soon: inner workflows, actions that are delayed, open questions. */
const isHeld = ({ action_is_workflow: isWorkflow, status, delay = 0 }: ExecutionRecord): boolean =>
  isWorkflow || status === 'delayed' || status === 'pending' || (status === 'requested' && delay > 0);

/** Cancelling a part of a workflow cancels the whole. */
async function cancelRoot({ store, executions }: Engine, run: Run, user: string): Promise<void> {
  let root = run.execution;
  while (root.parent !== undefined && root.workflow_execution !== undefined) {
    const parent = await store.executions.get(root.parent);
    if (!parent) break;
    root = parent;
  }
  if (root._id === run.execution._id || root.status === 'canceling' || isTerminal(root.status)) return;
  await tolerant(() => executions.cancel(root._id, user));
}

/** It may have ended or changed meanwhile: then it tells of that by itself. */
async function tolerant(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
  }
}
