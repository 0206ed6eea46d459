import type { Executions } from '@switchyard/executions';
import type { InstanceObserver } from '@switchyard/host';
import {
  runnerControl,
  type Delivery,
  type ExecutionStatusMessage,
  type Publisher,
  type RunnerControlMessage,
} from '@switchyard/messaging';
import type { Store } from '@switchyard/storage';
import type { Run } from './run-execution';

export interface ControlDeps {
  store: Pick<Store, 'executions'>;
  executions: Pick<Executions, 'transition'>;
  observer: InstanceObserver;
  publisher: Publisher;
  instance: string;
  /** What this process works on, by execution id. */
  runs: ReadonlyMap<string, Run>;
}

/**
 * A request to cancel, which any action runner may receive: the owner stops the work; another process passes the
 * request on to the owner; when the owner is dead there is no work left, and recovery finishes the execution.
 */
export async function onCanceling(deps: ControlDeps, { id }: ExecutionStatusMessage): Promise<void> {
  const record = await deps.store.executions.get(id);
  if (record?.status !== 'canceling') return;
  const { claim } = record;
  if (!claim) {
    await deps.executions.transition(record, 'canceled', { from: ['canceling'] });
    return;
  }
  if (claim.instance === deps.instance) return stopOwn(deps, id, claim.number);
  const owners = await deps.observer.alive('action-runner');
  if (!owners.some(({ _id }) => _id === claim.instance)) return;
  await deps.publisher.publish(runnerControl({ instance: claim.instance, verb: 'cancel', id, claim: claim.number }));
}

/** A request that was addressed to this process. */
export async function onControl(
  deps: ControlDeps,
  { id, claim }: RunnerControlMessage,
  delivery: Delivery,
): Promise<void> {
  stopOwn(deps, id, claim);
  delivery.ack();
  return Promise.resolve();
}

function stopOwn({ runs }: ControlDeps, id: string, claimNumber: number): void {
  const run = runs.get(id);
  if (run?.execution.claim.number === claimNumber) run.stop('canceled');
}
