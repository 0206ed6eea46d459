import type { RequestableStatus } from '../machines';
import { ordinaryStatus, setCleanUp, visibleStatus } from './clean-up';
import type { Core } from './core';
import { invalidTransition } from './errors';

/**
 * A status that is asked for while the clean-up is due or runs. Pausing holds it, cancelling makes the outcome a canceled
 * one and lets it go on, and cancelling once more leaves out whatever has not started.
 * @throws ConductorError for a status that cannot be asked for then
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
