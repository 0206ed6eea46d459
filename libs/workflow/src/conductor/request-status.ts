import { afterRequest, isStatus, type RequestableStatus, type Status } from '../machines';
import type { Core } from './core';
import { invalidEvent, invalidStatus, invalidTransition } from './errors';
import { hold } from './hold';

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

const isOnTheWay = (request: RequestableStatus, status: Status | 'unset'): boolean =>
  (request === 'paused' && status === 'pausing') || (request === 'canceled' && status === 'canceling');
