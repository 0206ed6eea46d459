import type { Executions } from '@switchyard/executions';
import type { InstanceObserver } from '@switchyard/host';
import {
  runnerControl,
  type Delivery,
  type ExecutionStatusMessage,
  type Publisher,
  type RunnerControlMessage,
} from '@switchyard/messaging';
import type { ActionRun } from './run-execution';

export interface RunnerControlDeps {
  executions: Pick<Executions, 'records' | 'transition'>;
  observer: InstanceObserver;
  publisher: Publisher;
  instance: string;
  /** The executions that this process works on, by id. */
  runs: ReadonlyMap<string, ActionRun>;
}

/**
 * Handles a request to cancel, which any action runner may receive. The owner stops the work. Another process forwards
 * the request to the owner. If the owner is dead, there is no work left, and recovery finishes the execution.
 */
export async function onCanceling(deps: RunnerControlDeps, { id }: ExecutionStatusMessage): Promise<void> {
  const record = await deps.executions.records.get(id);
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

/** Handles a request that was addressed to this process. */
export async function onControl(
  deps: RunnerControlDeps,
  { id, claim }: RunnerControlMessage,
  delivery: Delivery,
): Promise<void> {
  stopOwn(deps, id, claim);
  delivery.ack();
  return Promise.resolve();
}

function stopOwn({ runs }: RunnerControlDeps, id: string, claimNumber: number): void {
  const run = runs.get(id);
  if (run?.execution.claim.number === claimNumber) run.stop('canceled');
}
