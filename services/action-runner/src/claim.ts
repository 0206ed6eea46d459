import { hostname } from 'node:os';
import type { Executions } from '@switchyard/executions';
import type { Claim, ExecutionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

export interface ClaimDeps {
  store: Pick<Store, 'executions'>;
  executions: Pick<Executions, 'transition'>;
  /** Id of this process. */
  instance: string;
}

/**
 * Takes a scheduled execution for this process. The claim's number is the revision at which it was taken, so it grows
 * with every claim of the same execution.
 * @returns undefined when it is no longer to be had
 */
export async function claimExecution(
  { store, executions, instance }: ClaimDeps,
  id: string,
): Promise<(ExecutionRecord & { claim: Claim }) | undefined> {
  const record = await store.executions.get(id);
  if (record?.status !== 'scheduled') return undefined;
  const claim: Claim = { number: record.revision, instance, host: hostname(), pid: process.pid };
  const taken = await executions.transition(record, 'running', {
    from: ['scheduled'],
    revision: record.revision,
    set: { claim, runner_info: { hostname: claim.host, pid: claim.pid } },
  });
  return taken && { ...taken, claim };
}
