import { attributesOf, limitOf, type ExecutionRecord, type Limit } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { ParameterResolver } from '../parameters/resolve';
import type { SecretKeeper } from '../secrets';
import { limitingPolicies } from './limiting';

export interface LimitsDeps {
  store: Pick<Store, 'policies' | 'definitions'>;
  parameters: ParameterResolver;
  secrets: SecretKeeper;
}

/** The limits that an execution has to respect. Values of parameters are looked at only where a policy goes by them. */
export async function limitsOf(deps: LimitsDeps, record: ExecutionRecord): Promise<readonly Limit[]> {
  const policies = await limitingPolicies(deps.store.policies, record);
  if (policies.length === 0) return [];
  const values = policies.some((policy) => attributesOf(policy).length > 0) ? await valuesOf(deps, record) : {};
  return policies.map((policy) => limitOf(policy, values));
}

/** Values of parameters as the run will get them, defaults included; those that were given where that cannot be told. */
async function valuesOf(
  { store, parameters, secrets }: LimitsDeps,
  record: ExecutionRecord,
): Promise<Record<string, unknown>> {
  const given = secrets.openParameters(record);
  const definition = await store.definitions.get(record.definition);
  if (!definition) return given;
  try {
    const finished = await parameters.finish(definition, given, record.context);
    return { ...finished.runnerParameters, ...finished.actionParameters };
  } catch {
    // It will fail for the same reason as soon as it runs; until then it is one of a group like any other.
    return given;
  }
}
