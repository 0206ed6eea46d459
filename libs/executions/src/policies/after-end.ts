import { isFault } from '@switchyard/base';
import type { ExecutionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { RequestDeps } from '../request';
import { decideRetry } from './decide-retry';
import { requestRetry } from './request-retry';

export interface AfterEndDeps extends RequestDeps {
  store: RequestDeps['store'] & Pick<Store, 'policies'>;
  logger: { warn(message: string, fields?: Record<string, unknown>): void };
}

/** Does what the policies of an action ask for after one of its executions has ended. May be called any number of times. */
export async function afterEnd(deps: AfterEndDeps, record: ExecutionRecord): Promise<void> {
  if (!record.retries || record.parent !== undefined) return;
  for (const policy of (await deps.store.policies.inForce()).of(record.action_ref)) {
    const retry = decideRetry(policy, record);
    if (!retry) continue;
    try {
      await requestRetry(deps, record, policy, retry);
    } catch (error) {
      // The action is gone, or is not what it was: no later try would succeed.
      if (!isFault(error) || error.status >= 500) throw error;
      const fields = { execution_id: record._id, policy: policy.ref, error: error.message };
      deps.logger.warn('An execution cannot be run again as its policy asks for.', fields);
    }
  }
}
