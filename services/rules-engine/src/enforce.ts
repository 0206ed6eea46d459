import { fault, isFault, newId, type Fault } from '@switchyard/base';
import type { ExecutionRequest, TraceContext } from '@switchyard/executions';
import type { ExecutionRecord, RuleEnforcementRecord, RuleRecord, TriggerInstanceRecord } from '@switchyard/model';
import { ruleCause, type Cause } from './cause';
import type { EngineParts } from './rules-engine-parts';

/** A rule that acts on an instance. */
export interface Enforcement {
  readonly rule: RuleRecord;
  readonly instance: TriggerInstanceRecord;
  readonly trace: TraceContext;
  readonly cause: Cause;
  /** What templates see as `trigger`. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Somebody may have been here before: what is there counts. */
  readonly again: boolean;
}

interface Outcome {
  readonly execution?: ExecutionRecord | undefined;
  readonly reason?: string;
}

/**
 * Runs the action of a rule, and records what became of it. Both bear the key of instance and rule: however often this is
 * done, there is one execution and one record.
 * @returns the execution, if there is one
 */
export async function enforce(parts: EngineParts, enforcement: Enforcement): Promise<ExecutionRecord | undefined> {
  const { rule, instance, again } = enforcement;
  const before = again ? await requestedBefore(parts, keyOf(instance, rule)) : undefined;
  const outcome = before ?? (await requested(parts, enforcement));
  await recordEnforcement(parts, instance, rule, outcome);
  return outcome.execution;
}

/** Records that a rule could not be asked, or could not act. */
export async function recordEnforcement(
  { store, clock, logger }: Pick<EngineParts, 'store' | 'clock' | 'logger'>,
  instance: TriggerInstanceRecord,
  { _id: id, ref, uid }: RuleRecord,
  { execution, reason }: Outcome,
): Promise<void> {
  const record: RuleEnforcementRecord = {
    _id: newId(),
    trigger_instance_id: instance._id,
    ...(execution ? { execution_id: execution._id } : {}),
    ...(reason === undefined ? {} : { failure_reason: reason.slice(0, LONGEST_REASON) }),
    rule: { ref, id, uid },
    enforced_at: clock.nowMicros(),
    status: reason === undefined ? 'succeeded' : 'failed',
    request_key: `${instance._id}:${id}`,
  };
  const { created } = await store.ruleEnforcements.insertOnce(record);
  if (!created) return;
  const fields = { rule: ref, trigger_instance: instance._id, trigger: instance.trigger };
  if (reason === undefined) logger.audit('Rule enforced.', { ...fields, execution: execution?._id });
  else logger.audit('Rule enforcement failed.', { ...fields, reason: record.failure_reason });
}

const LONGEST_REASON = 10_000;

const keyOf = ({ _id }: TriggerInstanceRecord, rule: RuleRecord): string => `${_id}:${rule._id}`;

/** What an earlier try has come to, by what is stored. A request that has failed ended when it began. */
async function requestedBefore({ store, executions }: EngineParts, key: string): Promise<Outcome | undefined> {
  const [execution] = await store.executions.list({ filter: { request_key: key }, limit: 1 });
  if (!execution) return undefined;
  if (execution.status !== 'failed' || execution.end_timestamp !== execution.start_timestamp) return { execution };
  const result = await executions.results.load(execution, false);
  const error = result?.['error'];
  return { execution, reason: typeof error === 'string' ? error : 'The request has failed.' };
}

async function requested({ executions, systemUser }: EngineParts, enforcement: Enforcement): Promise<Outcome> {
  // What would run has none of its parameters.
  if (enforcement.rule.problem !== undefined) return { reason: enforcement.rule.problem };
  const request = requestOf(enforcement, systemUser);
  try {
    return { execution: await executions.request(request) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { execution: await failedExecution(executions, request, error), reason: reasonOf(error, request) };
  }
}

const isRefusal = (error: unknown): error is Fault => isFault(error) && error.status < 500;

/** The action may have gone since the parameters were rendered. */
async function failedExecution(executions: EngineParts['executions'], request: ExecutionRequest, refusal: Fault) {
  try {
    return await executions.requestFailed(request, refusal);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

const reasonOf = (error: Fault, { action }: ExecutionRequest): string =>
  error.code === 'execution.action-not-found' ? fault('rule.action-unknown', { ref: action }).message : error.message;

function requestOf({ rule, instance, trace, cause, payload }: Enforcement, user: string): ExecutionRequest {
  return {
    action: rule.action.ref,
    parameters: rule.action.parameters ?? {},
    user,
    context: {
      trigger_instance: { id: instance._id, name: null },
      rule: { id: rule._id, name: rule.name },
    },
    names: { trigger: payload },
    trace,
    cause: { ...cause, ...ruleCause(rule, cause) },
    requestKey: keyOf(instance, rule),
  };
}
