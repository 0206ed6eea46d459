import { hostname } from 'node:os';
import type { Executions } from '@switchyard/executions';
import type { Claim, ExecutionRecord } from '@switchyard/model';

export interface ClaimDeps {
  executions: Pick<Executions, 'records' | 'transition'>;
  /** Id of this process. */
  instance: string;
}

/**
 * Claims a scheduled execution for this process. The claim's number is the revision at which it was taken, so it grows
 * with every claim of the same execution.
 * @param revision as in the message; when the record has changed since, it is read once more
 * @returns undefined when the execution can no longer be claimed
 */
export async function claimExecution(
  deps: ClaimDeps,
  id: string,
  revision: number,
): Promise<(ExecutionRecord & { claim: Claim }) | undefined> {
  const taken = await claimAt(deps, id, revision);
  if (taken) return taken;
  const record = await deps.executions.records.get(id);
  if (record?.status !== 'scheduled' || record.revision === revision) return undefined;
  return claimAt(deps, id, record.revision);
}

async function claimAt({ executions, instance }: ClaimDeps, id: string, revision: number) {
  const claim: Claim = { number: revision, instance, host: hostname(), pid: process.pid };
  const taken = await executions.transition({ _id: id }, 'running', {
    from: ['scheduled'],
    revision,
    set: { claim, runner_info: { hostname: claim.host, pid: claim.pid } },
  });
  return taken && { ...taken, claim };
}
