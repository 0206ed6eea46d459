import { isFault, isPlainObject, newId, SECOND_MS } from '@switchyard/base';
import {
  boundRole,
  type ExecutionRecord,
  type Limit,
  type PolicyRecord,
  refuseImmutableOverrides,
  RETRY_POLICY,
  validateParameters,
  type Status,
} from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { newRecord } from '../execution-record';
import { insertRequested, resolveRequest, type ExecutionRequest, type RequestDeps } from '../request';
import type { TransitionDeps } from '../transition';
import {
  countIn,
  giveRoomBack,
  policyLimitsOf,
  takeRoom,
  waitForRoom,
  type LimitsDeps,
  type RoomDeps,
  type Taken,
} from './limits';

/** The effects of policies on executions. */
export interface ExecutionPolicies {
  /** See `afterEnd`. */
  afterEnd(record: ExecutionRecord): Promise<void>;
  /** See `requestRetry`. */
  retry(record: ExecutionRecord, policy: Pick<PolicyRecord, 'ref'>, retry: Retry): Promise<ExecutionRecord>;
  /** See `limitsOf`. */
  limitsOf(record: ExecutionRecord): Promise<readonly Limit[]>;
  /** See `takeRoom`. */
  take(limit: Limit, record: ExecutionRecord, taker: string): Promise<Taken>;
  /** See `countIn`. */
  countIn(limit: Limit, id: string): Promise<void>;
  /** See `giveRoomBack`. */
  giveBack(keys: readonly string[], id: string, taker: string): Promise<boolean>;
  /** See `waitForRoom`. */
  wait(record: ExecutionRecord, limit: Limit): Promise<void>;
}

interface ExecutionPoliciesDeps {
  requesting: AfterEndDeps;
  transitions: TransitionDeps;
  limits: LimitsDeps & RoomDeps;
}

export const createExecutionPolicies = ({
  requesting,
  transitions,
  limits,
}: ExecutionPoliciesDeps): ExecutionPolicies => ({
  afterEnd: (record) => afterEnd(requesting, record),
  retry: (record, policy, retry) => requestRetry(requesting, record, policy, retry),
  limitsOf: (record) => policyLimitsOf(limits, record),
  take: (limit, record, taker) => takeRoom(limits, limit, record, taker),
  countIn: (limit, id) => countIn(limits, limit, id),
  giveBack: (keys, id, taker) => giveRoomBack(limits, keys, id, taker),
  wait: (record, limit) => waitForRoom(transitions, record, limit),
});

interface AfterEndDeps extends RequestDeps {
  store: RequestDeps['store'] & Pick<Store, 'policies'>;
  logger: { warn(message: string, fields?: Record<string, unknown>): void };
}

/** Applies the retry policies of an action after one of its executions has ended. Idempotent. */
export async function afterEnd(deps: AfterEndDeps, record: ExecutionRecord): Promise<void> {
  if (!record.retries || record.parent !== undefined) return;
  for (const policy of (await deps.store.policies.inForce()).of(record.action_ref)) {
    const retry = decideRetry(policy, record);
    if (!retry) continue;
    try {
      await requestRetry(deps, record, policy, retry);
    } catch (error) {
      // The action is gone or has changed: another attempt would fail too.
      if (!isFault(error) || error.status >= 500) throw error;
      const fields = { execution_id: record._id, policy: policy.ref, error: error.message };
      deps.logger.warn('Failed to retry an execution as its policy requires.', fields);
    }
  }
}

/** A retry of an execution. */
export interface Retry {
  /** 1 for the first retry. */
  readonly count: number;
  readonly delayMs: number;
}

const END: Readonly<Record<string, Status>> = { failure: 'failed', timeout: 'timeout' };

/** Whether a policy asks for a retry of an execution that has ended. Pure. */
export function decideRetry(
  { enabled, policy_type: type, parameters }: PolicyRecord,
  { status, context }: Pick<ExecutionRecord, 'status' | 'context'>,
): Retry | undefined {
  const { retry_on: end, max_retry_count: most, delay } = parameters;
  if (!enabled || type !== RETRY_POLICY || END[String(end)] !== status) return undefined;
  const count = retriesBefore(context) + 1;
  if (count > Number(most)) return undefined;
  return { count, delayMs: Math.round(Number(delay ?? 0) * SECOND_MS) };
}

function retriesBefore({ policies }: Readonly<Record<string, unknown>>): number {
  const retry = isPlainObject(policies) ? policies['retry'] : undefined;
  const count = isPlainObject(retry) ? retry['retry_count'] : undefined;
  return typeof count === 'number' ? count : 0;
}

/**
 * Requests a retry of an execution; calling this again for the same retry changes nothing. Its parameters are the
 * rendered values of the earlier execution, which are not rendered again.
 * @throws Fault of the area `execution` or `parameter` when the action no longer accepts the request
 */
async function requestRetry(
  deps: RequestDeps,
  record: ExecutionRecord,
  policy: Pick<PolicyRecord, 'ref'>,
  retry: Retry,
): Promise<ExecutionRecord> {
  const id = newId();
  const request = await retryRequest(deps, record, policy, retry);
  const { definition, context, ...marks } = await resolveRequest(deps, request, id);
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
  // The failed workflow run stays with the earlier execution.
  const { trace_context: _trace, workflow_execution: _run, policies, ...context } = record.context;
  const retry = { applied_policy: ref, retry_count: count, retried_liveaction_id: record.liveaction_id };
  const { trigger, trigger_type: type, trigger_instance: instance, rule } = record;
  return {
    action: record.action_ref,
    user: String(record.context['user']),
    role: boundRole(record.context),
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
