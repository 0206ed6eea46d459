import { isPlainObject, newId } from '@switchyard/base';
import {
  refuseImmutableOverrides,
  validateParameters,
  type ExecutionRecord,
  type PolicyRecord,
} from '@switchyard/model';
import { insertRequested, newRecord, understand, type ExecutionRequest, type RequestDeps } from '../request';
import type { Retry } from './decide-retry';

/**
 * Requests an execution once more. However often this is called for the same retry, there is one. Its parameters are the
 * values of the earlier one: what they hold is not rendered a second time.
 * @throws Fault of the area `execution` or `parameter` when the action does not take the request any more
 */
export async function requestRetry(
  deps: RequestDeps,
  record: ExecutionRecord,
  policy: Pick<PolicyRecord, 'ref'>,
  retry: Retry,
): Promise<ExecutionRecord> {
  const id = newId();
  const request = await retryRequest(deps, record, policy, retry);
  const { definition, context, ...marks } = await understand(deps, request, id);
  const parameters = deps.secrets.openParameters(record);
  validateParameters(parameters, definition.runner, definition.action);
  refuseImmutableOverrides(parameters, definition.runner, definition.action);
  const sealed = deps.secrets.sealParameters(definition, parameters, record.derived_secrets ?? []);
  const made = newRecord(deps, request, { id, definition, context, ...marks, ...sealed });
  const { record: stored, created } = await insertRequested(deps, request, definition, made);
  if (created) deps.announce.created(stored);
  return stored;
}

async function retryRequest(
  { traces }: RequestDeps,
  record: ExecutionRecord,
  { ref }: Pick<PolicyRecord, 'ref'>,
  { count, delayMs }: Retry,
): Promise<ExecutionRequest> {
  // The run of a workflow that has failed stays with the execution that it belongs to.
  const { trace_context: _trace, workflow_execution: _run, policies, ...context } = record.context;
  const retry = { applied_policy: ref, retry_count: count, retried_liveaction_id: record.liveaction_id };
  const { trigger, trigger_type: type, trigger_instance: instance, rule } = record;
  return {
    action: record.action_ref,
    user: String(record.context['user']),
    context: {
      ...context,
      policies: { ...(isPlainObject(policies) ? policies : {}), retry },
      trace_context: { id_: (await traces.ofExecution(record)).id_ },
    },
    requestKey: `${record._id}:retry:${count}`,
    ...(delayMs > 0 ? { delay: delayMs } : {}),
    ...(record.callback ? { callback: record.callback } : {}),
    pool: record.pool,
    priority: record.priority,
    idempotent: record.idempotent,
    cause: {
      ...(trigger ? { trigger } : {}),
      ...(type ? { trigger_type: type } : {}),
      ...(instance ? { trigger_instance: instance } : {}),
      ...(rule ? { rule } : {}),
    },
  };
}
