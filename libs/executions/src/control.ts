import { fault } from '@switchyard/base';
import {
  isCancelable,
  isTerminal,
  statusesBefore,
  type ExecutionRecord,
  type Status,
  type TerminalStatus,
} from '@switchyard/model';
import type { ResultStore } from './result';
import { transition, type TransitionDeps } from './transition';

export interface ControlDeps extends TransitionDeps {
  results: ResultStore;
}

/** The body of PUT /executions/{id}. */
export interface StatusUpdate {
  status: Status;
  result?: Record<string, unknown>;
}

const RUNNING: readonly Status[] = ['running', 'pausing', 'resuming'];
/** Statuses in which the engine has to cancel a workflow, whether or not any action of it runs. */
export const BEGUN: readonly Status[] = [...RUNNING, 'paused', 'pending'];
const TRIES = 5;

/**
 * Requests the cancellation of an execution. It is canceled at once if no runner works on it; otherwise it becomes
 * `canceling`, and its runner stops the work.
 * @returns the record afterwards; unchanged when it was already canceling or can no longer be canceled
 */
export async function cancelExecution(deps: ControlDeps, id: string, user: string): Promise<ExecutionRecord> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const record = await get(deps, id);
    if (!isCancelable(record.status)) return record;
    const moved = await requestCancel(deps, record, user);
    if (moved) return moved;
  }
  throw fault('execution.changed-meanwhile', { id });
}

async function requestCancel(deps: ControlDeps, record: ExecutionRecord, user: string) {
  const running = (record.action_is_workflow ? BEGUN : RUNNING).includes(record.status);
  const result = await deps.results.store(record, { message: 'Action canceled by user.', user });
  const moved = await transition(deps, record, running ? 'canceling' : 'canceled', {
    from: [record.status],
    set: { ...result.set, 'context.cancelled_by': user },
    unset: result.unset,
    ...(running ? { due: [record.action_is_workflow ? 'workflow-engine' : 'action-runner'] } : {}),
  });
  if (moved) await deps.results.dropFormer(record);
  return moved;
}

/** Applies a status that an API client requested. @throws Fault when the transition table has no such move */
export async function updateExecution(
  deps: ControlDeps,
  id: string,
  { status, result }: StatusUpdate,
  user: string,
): Promise<ExecutionRecord> {
  const record = await get(deps, id);
  if (isTerminal(record.status)) throw fault('execution.completed');
  if (status === 'canceling' || (status === 'canceled' && !mayEndCanceled(record)))
    return cancelExecution(deps, id, user);
  if (status === 'pausing' || status === 'paused') return pauseExecution(deps, record, user);
  if (status === 'resuming') return resumeExecution(deps, record, user);
  if (status === record.status) return record;
  if (!isTerminal(status) || !statusesBefore(status).includes(record.status))
    throw fault('execution.illegal-move', { from: record.status, to: status });
  return complete(deps, record, status, result);
}

/** Whether a client may end a cancellation. That of a workflow ends with its actions, and its engine renders the output. */
const mayEndCanceled = ({ status, action_is_workflow: isWorkflow }: ExecutionRecord): boolean =>
  status === 'canceling' && !isWorkflow;

async function complete(
  deps: ControlDeps,
  record: ExecutionRecord,
  status: TerminalStatus,
  result: Record<string, unknown> | undefined,
): Promise<ExecutionRecord> {
  const stored = result ? await deps.results.store(record, result) : { set: {}, unset: [] };
  const moved = await transition(deps, record, status, { from: [record.status], ...stored });
  if (!moved) {
    await deps.results.discard(stored);
    throw fault('execution.changed-meanwhile', { id: record._id });
  }
  if (result) await deps.results.dropFormer(record);
  // The result is set now, so the runner can stop.
  deps.announce.stop(record);
  return moved;
}

async function get({ executions }: ControlDeps, id: string): Promise<ExecutionRecord> {
  const record = await executions.get(id);
  if (!record) throw fault('execution.not-found', { id });
  return record;
}

/**
 * Asks a workflow to pause: running actions finish, and no new ones start.
 * @returns the record afterwards; unchanged when it was already pausing or paused
 * @throws Fault `execution.no-pause` for an execution that is not a workflow, `execution.not-running`
 */
export function pauseExecution(deps: TransitionDeps, record: ExecutionRecord, user: string): Promise<ExecutionRecord> {
  return ask(deps, record, {
    verb: 'pause',
    from: 'running',
    to: 'pausing',
    done: ['pausing', 'paused'],
    set: { 'context.paused_by': user },
    refusal: 'execution.not-running',
  });
}

/**
 * Asks a paused workflow to resume.
 * @returns the record afterwards; unchanged when it was already resuming
 * @throws Fault `execution.no-pause` for an execution that is not a workflow, `execution.not-paused`
 */
export function resumeExecution(deps: TransitionDeps, record: ExecutionRecord, user: string): Promise<ExecutionRecord> {
  return ask(deps, record, {
    verb: 'resume',
    from: 'paused',
    to: 'resuming',
    done: ['resuming'],
    set: { 'context.resumed_by': user },
    refusal: 'execution.not-paused',
  });
}

/** A pause or a resume, as the status machine sees it. */
interface RequestedMove {
  verb: 'pause' | 'resume';
  from: Status;
  to: Status;
  /** Statuses in which there is nothing to do. */
  done: readonly Status[];
  set: Record<string, unknown>;
  refusal: 'execution.not-running' | 'execution.not-paused';
}

async function ask(deps: TransitionDeps, record: ExecutionRecord, move: RequestedMove): Promise<ExecutionRecord> {
  const { liveaction_id: liveaction, status, runner_name: runner } = record;
  if (!record.action_is_workflow) throw fault('execution.no-pause', { verb: move.verb, liveaction, runner });
  if (move.done.includes(status)) return record;
  if (status !== move.from) throw fault(move.refusal, { liveaction, status });
  const moved = await transition(deps, { _id: record._id }, move.to, {
    from: [move.from],
    due: ['workflow-engine'],
    set: move.set,
  });
  if (!moved) throw fault('execution.changed-meanwhile', { id: record._id });
  return moved;
}
