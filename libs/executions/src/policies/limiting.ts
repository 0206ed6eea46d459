import { isLimiting, type ExecutionRecord, type PolicyRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/**
 * The policies that limit an execution, from memory: unless one limited it at the time of its request and none is known
 * here, since what is known then is old.
 */
export async function limitingPolicies(
  policies: Store['policies'],
  { action_ref: ref, limited }: Pick<ExecutionRecord, 'action_ref' | 'limited'>,
): Promise<readonly PolicyRecord[]> {
  const known = (await policies.inForce()).of(ref).filter(isLimiting);
  return known.length > 0 || !limited ? known : (await policies.renewed()).of(ref).filter(isLimiting);
}
