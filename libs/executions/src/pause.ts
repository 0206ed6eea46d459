import { fault } from '@switchyard/base';
import type { ExecutionRecord, Status } from '@switchyard/model';
import { transition, type TransitionDeps } from './transition';

/**
 * Asks a workflow to pause: what runs goes on to its end, nothing new is started.
 * @returns the record afterwards; unchanged when it was pausing or paused already
 * @throws Fault `execution.no-pause` for what is no workflow, `execution.not-running`
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
 * Asks a paused workflow to go on.
 * @returns the record afterwards; unchanged when somebody else has asked for it just before
 * @throws Fault `execution.no-pause` for what is no workflow, `execution.not-paused`
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

interface Wish {
  verb: 'pause' | 'resume';
  from: Status;
  to: Status;
  /** Statuses in which there is nothing to do. */
  done: readonly Status[];
  set: Record<string, unknown>;
  refusal: 'execution.not-running' | 'execution.not-paused';
}

async function ask(deps: TransitionDeps, record: ExecutionRecord, wish: Wish): Promise<ExecutionRecord> {
  const { liveaction_id: liveaction, status, runner_name: runner } = record;
  if (!record.action_is_workflow) throw fault('execution.no-pause', { verb: wish.verb, liveaction, runner });
  if (wish.done.includes(status)) return record;
  if (status !== wish.from) throw fault(wish.refusal, { liveaction, status });
  const moved = await transition(deps, { _id: record._id }, wish.to, {
    from: [wish.from],
    due: ['workflow-engine'],
    set: wish.set,
  });
  if (!moved) throw fault('execution.changed-meanwhile', { id: record._id });
  return moved;
}
