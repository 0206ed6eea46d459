import { fault } from '@switchyard/base';
import {
  isCancelable,
  isTerminal,
  statusesBefore,
  type ExecutionRecord,
  type Status,
  type TerminalStatus,
} from '@switchyard/model';
import type { ResultKeeper } from './result';
import { pauseExecution, resumeExecution } from './pause';
import { transition, type TransitionDeps } from './transition';

export interface ControlDeps extends TransitionDeps {
  results: ResultKeeper;
}

/** What PUT /executions/{id} asks for. */
export interface StatusUpdate {
  status: Status;
  result?: Record<string, unknown>;
}

const RUNNING: readonly Status[] = ['running', 'pausing', 'resuming'];
/** Statuses in which the engine has to take a workflow down, whether or not anything of it runs. */
const BEGUN: readonly Status[] = [...RUNNING, 'paused', 'pending'];
const TRIES = 5;

/**
 * Asks for an execution to be canceled. One that no runner works on is canceled at once; otherwise it becomes
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

/** Applies a status that an API client asked for. @throws Fault when the transition table has no such move */
export async function updateExecution(
  deps: ControlDeps,
  id: string,
  { status, result }: StatusUpdate,
  user: string,
): Promise<ExecutionRecord> {
  const record = await get(deps, id);
  if (isTerminal(record.status)) throw fault('execution.completed');
  if (status === 'canceling' || (status === 'canceled' && record.status !== 'canceling'))
    return cancelExecution(deps, id, user);
  if (status === 'pausing' || status === 'paused') return pauseExecution(deps, record, user);
  if (status === 'resuming') return resumeExecution(deps, record, user);
  if (status === record.status) return record;
  if (!isTerminal(status) || !statusesBefore(status).includes(record.status))
    throw fault('execution.illegal-move', { from: record.status, to: status });
  return complete(deps, record, status, result);
}

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
  // Its result is known now, whatever the runner is still doing.
  deps.announce.stop(record);
  return moved;
}

async function get({ executions }: ControlDeps, id: string): Promise<ExecutionRecord> {
  const record = await executions.get(id);
  if (!record) throw fault('execution.not-found', { id });
  return record;
}
