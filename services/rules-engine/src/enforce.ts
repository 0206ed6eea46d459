import { fault, isFault, KIB, microsToIso, newId, type Fault } from '@switchyard/base';
import type { ExecutionRequest, TraceContext } from '@switchyard/executions';
import { templateProblem } from '@switchyard/expressions';
import {
  boundRole,
  type ExecutionRecord,
  type RuleEnforcementRecord,
  type RuleRecord,
  type TriggerInstanceRecord,
} from '@switchyard/model';
import { inSpan } from '@switchyard/telemetry';
import type { TriggerPage } from './rule-book';
import type { EngineParts } from './rules-engine';

/** A rule that acts on an instance. */
export interface Enforcement {
  readonly rule: RuleRecord;
  readonly instance: TriggerInstanceRecord;
  readonly trace: TraceContext;
  readonly cause: Cause;
  /** The value of `trigger` in templates. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** An earlier attempt may have stored records already; they count. */
  readonly again: boolean;
}

interface Outcome {
  readonly execution?: ExecutionRecord | undefined;
  readonly reason?: string;
}

/**
 * Runs the action of a rule and records the outcome. Both carry the key of instance and rule, so repeated calls create
 * one execution and one record.
 * @returns the execution, if there is one
 */
export function enforce(parts: EngineParts, enforcement: Enforcement): Promise<ExecutionRecord | undefined> {
  const { rule, instance } = enforcement;
  const spans = parts.executions.spans.recorder;
  const attributes = {
    'svc.rule.ref': rule.ref,
    'svc.trigger.ref': instance.trigger,
    'svc.trigger_instance.id': instance._id,
  };
  const about = { name: `rule ${rule.ref}`, kind: 'consumer', attributes, parent: spans.read(instance) } as const;
  return inSpan({ spans, clock: parts.clock }, about, () => enforceOnce(parts, enforcement));
}

async function enforceOnce(parts: EngineParts, enforcement: Enforcement): Promise<ExecutionRecord | undefined> {
  const { rule, instance, again } = enforcement;
  const before = again ? await requestedBefore(parts, keyOf(instance, rule)) : undefined;
  const outcome = before ?? (await requested(parts, enforcement));
  await recordEnforcement(parts, instance, rule, outcome);
  return outcome.execution;
}

/** Records that a rule could not be evaluated, or could not act. */
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

/** The outcome of an earlier attempt, according to the store. A request that failed ended when it began. */
async function requestedBefore({ executions }: EngineParts, key: string): Promise<Outcome | undefined> {
  const [execution] = await executions.records.list({ filter: { request_key: key }, limit: 1 });
  if (!execution) return undefined;
  if (execution.status !== 'failed' || execution.end_timestamp !== execution.start_timestamp) return { execution };
  const result = await executions.results.load(execution, false);
  const error = result?.['error'];
  return { execution, reason: typeof error === 'string' ? error : 'The request has failed.' };
}

async function requested({ executions, systemUser }: EngineParts, enforcement: Enforcement): Promise<Outcome> {
  // The parameters are missing, so there is nothing to run.
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

/** The action may have been deleted since the parameters were rendered. */
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
    role: boundRole(rule.context),
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

/** The copies of trigger, type, instance and rule that an execution stores. */
type Cause = NonNullable<ExecutionRequest['cause']>;

/** Larger payloads are kept only in the instance. */
const LARGEST_PAYLOAD = 256 * KIB;

/** The part of the copies that all rules of an instance share. */
export function instanceCause(instance: TriggerInstanceRecord, { trigger, type }: TriggerPage): Cause {
  const { _id: id, trigger: ref, payload, occurrence_time, status } = instance;
  const isLarge = JSON.stringify(payload).length > LARGEST_PAYLOAD;
  return {
    ...(trigger ? { trigger: withId(trigger, ['parameters_hash']) } : {}),
    ...(type ? { trigger_type: withId(type) } : {}),
    trigger_instance: {
      id,
      trigger: ref,
      occurrence_time: microsToIso(occurrence_time),
      status,
      ...(isLarge ? {} : { payload }),
    },
  };
}

/** Secret parameters of the action are masked with the request. @param shared the part from the instance */
function ruleCause(rule: RuleRecord, { trigger }: Cause): Cause {
  const { ref = rule.trigger, type = rule.trigger, parameters = {} } = trigger ?? {};
  return { rule: { ...withId(rule, ['correlation']), trigger: { ref, type, parameters } } };
}

function withId({ _id: id, ...record }: { _id: string }, without: readonly string[] = []): Record<string, unknown> {
  const kept = Object.entries(record).filter(([name]) => !without.includes(name));
  return { id, ...Object.fromEntries(kept) };
}

/**
 * Parameters of a rule's action that look like templates but are not. They are passed on unchanged, which authors do not
 * expect. The instance reports where they are, but not the text, which may be a secret.
 */
export function strangeTexts({ ref, action }: Pick<RuleRecord, 'ref' | 'action'>): string[] {
  return Object.entries(action.parameters ?? {}).flatMap(([name, value]) =>
    textsIn(value).flatMap((text) => {
      const problem = text.includes('{{') || text.includes('{%') ? templateProblem(text) : undefined;
      return problem === undefined
        ? []
        : [
            `The parameter "${name}" of rule "${ref}" is passed on unchanged, because it is not a valid template: ${unquoted(problem, text)}`,
          ];
    }),
  );
}

const unquoted = (problem: string, text: string): string =>
  problem.replace(/(['"])(.*?)\1/gs, (quote, _mark, word: string) => (text.includes(word) ? "'…'" : quote));

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
