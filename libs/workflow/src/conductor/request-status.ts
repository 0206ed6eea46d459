import {
  afterRequest,
  afterWorkflowRequest,
  isIncomplete,
  isStatus,
  type RequestableStatus,
  type Status,
} from '../machines';
import type { Entry } from '../state/state';
import type { Core } from './core';
import { invalidEvent, invalidStatus, invalidTransition } from './errors';

const REQUESTABLE: Readonly<Partial<Record<Status, RequestableStatus>>> = {
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

/** @throws ConductorError when there is no such status, or none that can be asked for */
export function requestable(status: string): RequestableStatus {
  if (!isStatus(status)) throw invalidStatus(status);
  const request = REQUESTABLE[status];
  if (request === undefined) throw invalidEvent(`workflow_${status}`);
  return request;
}

/** @throws ConductorError when the workflow cannot get there from its present status */
export function requestBodyStatus(core: Core, request: RequestableStatus): void {
  const before = core.status;
  for (const entry of [...core.state.live]) offer(core, entry, request);
  const next = afterRequest(before, request, core.counts);
  if (next === undefined) {
    if (request !== before && !isOnTheWay(request, before)) throw invalidTransition(request, before);
    return;
  }
  if (next !== before) core.setStatus(next);
}

/** A with-items task stops in the middle of its list; a task that waits for its retry is not tried again. */
function offer(core: Core, entry: Entry, request: RequestableStatus): void {
  const aim = AIMS[request];
  if (aim === 'canceling' && entry.status === 'retrying') return giveUp(core, entry);
  const set = core.state.itemsOf(entry.items);
  if (aim === undefined || set === undefined || !isIncomplete(set.counts, set.size)) return;
  const status = afterWorkflowRequest(entry.status ?? 'unset', aim, set.counts.active > 0);
  if (status === undefined) return;
  core.state.setStatus(entry, status);
  core.state.feed(entry);
}

function giveUp(core: Core, entry: Entry): void {
  const again = core.state.againOf(entry);
  if (again !== undefined) core.state.unstage(again);
  core.state.setStatus(entry, 'canceled');
}

const AIMS: Readonly<Partial<Record<RequestableStatus, 'pausing' | 'canceling'>>> = {
  pausing: 'pausing',
  paused: 'pausing',
  canceling: 'canceling',
  canceled: 'canceling',
};

const isOnTheWay = (request: RequestableStatus, status: Status | 'unset'): boolean =>
  (request === 'paused' && status === 'pausing') || (request === 'canceled' && status === 'canceling');
