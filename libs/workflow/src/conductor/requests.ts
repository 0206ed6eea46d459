import {
  afterRequest,
  isWorkflowStatus,
  type RequestableStatus,
  type WorkflowStatus,
  afterWorkflowRequest,
  isIncomplete,
} from '../machines';
import type { TaskEntry } from '../state/entries';
import type { Core } from './core';
import { invalidEvent, invalidStatus, invalidTransition } from './errors';
import { ordinaryStatus, setCleanUp, visibleStatus } from './clean-up';

const REQUESTABLE: Readonly<Partial<Record<WorkflowStatus, RequestableStatus>>> = {
  requested: 'requested',
  scheduled: 'scheduled',
  delayed: 'delayed',
  running: 'running',
  pausing: 'pausing',
  paused: 'paused',
  resuming: 'resuming',
  canceling: 'canceling',
  canceled: 'canceled',
  succeeded: 'succeeded',
  failed: 'failed',
};

/** @throws ConductorError for an unknown status, or one that cannot be requested */
export function requestable(status: string): RequestableStatus {
  if (!isWorkflowStatus(status)) throw invalidStatus(status);
  const request = REQUESTABLE[status];
  if (request === undefined) throw invalidEvent(`workflow_${status}`);
  return request;
}

/** @throws ConductorError when the current status does not allow it */
export function requestBodyStatus(core: Core, request: RequestableStatus): void {
  const before = core.status;
  const aim = AIMS[request];
  if (aim !== undefined) hold(core, aim);
  const next = afterRequest(before, request, core.counts);
  if (next === undefined) {
    if (request !== before && !isOnTheWay(request, before)) throw invalidTransition(request, before);
    return;
  }
  if (next !== before) core.setStatus(next);
}

const AIMS: Readonly<Partial<Record<RequestableStatus, 'pausing' | 'canceling'>>> = {
  pausing: 'pausing',
  paused: 'pausing',
  canceling: 'canceling',
  canceled: 'canceling',
};

const isOnTheWay = (request: RequestableStatus, status: WorkflowStatus | 'unset'): boolean =>
  (request === 'paused' && status === 'pausing') || (request === 'canceled' && status === 'canceling');

/**
 * Handles a requested status while the clean-up is due or runs. Pausing holds it; the first cancellation changes the
 * outcome and lets it continue; a second one skips everything that has not started.
 * @throws ConductorError for a status that cannot be requested then
 */
export function requestCleanUpStatus(core: Core, request: RequestableStatus): void {
  const handle = HANDLERS[request];
  const { outcome, status, step } = core.state.head.cleanUp!;
  if (handle === undefined || step === 'done') {
    if (request !== visibleStatus(core)) throw invalidTransition(request, visibleStatus(core));
    return;
  }
  if (handle === 'cancel') cancel(core);
  else if (handle === 'fail') setCleanUp(core, { outcome: outcome === 'canceled' ? outcome : 'failed' });
  else if (handle === 'go') setCleanUp(core, { status: ordinaryStatus(outcome) });
  else if (status !== 'paused') setCleanUp(core, { status: 'pausing' });
}

const HANDLERS: Readonly<Partial<Record<RequestableStatus, 'go' | 'hold' | 'cancel' | 'fail'>>> = {
  running: 'go',
  resuming: 'go',
  pausing: 'hold',
  paused: 'hold',
  canceling: 'cancel',
  canceled: 'cancel',
  failed: 'fail',
};

function cancel(core: Core): void {
  const { state, spec } = core;
  const { outcome } = state.head.cleanUp!;
  setCleanUp(core, { outcome: 'canceled', status: 'canceling' });
  if (outcome !== 'canceled') return;
  for (const staged of [...state.staging.ready]) if (staged.phase !== 'body') state.staging.remove(staged);
  setCleanUp(core, { step: 'finally', at: spec.finally.length });
}

/**
 * Informs tasks that the workflow is pausing or being canceled: a with-items task stops in the middle of its list, and
 * after a cancellation a task that waits for its retry is not retried.
 */
function hold(core: Core, aim: 'pausing' | 'canceling'): void {
  for (const entry of [...core.state.entries.live]) {
    if (entry.phase !== 'body') continue;
    if (aim === 'canceling' && entry.status === 'retrying') giveUp(core, entry);
    else stopList(core, entry, aim);
  }
}

/**
 * When the workflow pauses or ends because of another task, stops lists without active items: none of their items is
 * dispatched any more, so nothing else would end them.
 * @returns the tasks whose status changed
 */
export function holdIdle(core: Core, aim: 'pausing' | 'canceling', among: Iterable<TaskEntry>): TaskEntry[] {
  return [...among].filter((entry) => {
    const set = core.state.items.of(entry.items);
    return entry.phase === 'body' && set !== undefined && set.counts.active === 0 && stopList(core, entry, aim);
  });
}

function stopList(core: Core, entry: TaskEntry, aim: 'pausing' | 'canceling'): boolean {
  const set = core.state.items.of(entry.items);
  if (set === undefined || !isIncomplete(set.counts, set.size)) return false;
  const status = afterWorkflowRequest(entry.status ?? 'unset', aim, set.counts.active > 0);
  if (status === undefined) return false;
  core.state.entries.setStatus(entry, status);
  core.state.entries.feed(entry);
  return true;
}

function giveUp(core: Core, entry: TaskEntry): void {
  const again = core.state.staging.againOf(entry);
  if (again !== undefined) core.state.staging.remove(again);
  core.state.entries.setStatus(entry, 'canceled');
}
