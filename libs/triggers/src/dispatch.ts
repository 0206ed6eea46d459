import { checkRecordSize, fault, isPlainObject, messageOf, newId, type Fault } from '@switchyard/base';
import {
  compileSchema,
  maskBySchema,
  pythonRepr,
  pythonStr,
  pythonTypeName,
  type TriggerInstanceRecord,
  type TriggerTypeRecord,
} from '@switchyard/model';
import type { TriggerAnnouncer } from './announce';
import type { Dispatch, DispatchRequest, TriggerName } from './dispatch-request';
import { findTrigger } from './trigger-record';
import { alwaysChecked, storedRef } from './names';
import type { TriggersDependencies } from './triggers';

/** The consumer of trigger instances. */
const RULES_ENGINE = 'rules-engine';

export interface Dispatcher {
  readonly dispatch: Dispatch;
  /** Dispatches several events: if one is refused, none is dispatched. */
  dispatchAll(requests: readonly DispatchRequest[]): Promise<TriggerInstanceRecord[]>;
}

export function createDispatcher(deps: TriggersDependencies, announce: TriggerAnnouncer): Dispatcher {
  const { store, clock } = deps;

  async function dispatchAll(requests: readonly DispatchRequest[]): Promise<TriggerInstanceRecord[]> {
    const prepared: Prepared[] = [];
    for (const request of requests) prepared.push(await prepare(deps, request));
    const stored: { record: TriggerInstanceRecord; created: boolean }[] = [];
    for (const each of prepared) stored.push(await store.triggerInstances.insertOnce(record(each, clock.nowMicros())));
    announce.dispatched(stored.filter(({ created }) => created).map(({ record }) => record));
    return stored.map(({ record }) => record);
  }

  return { dispatchAll, dispatch: async (request) => (await dispatchAll([request]))[0] as TriggerInstanceRecord };
}

interface Prepared extends Pick<DispatchRequest, 'requestKey' | 'traceContext'> {
  readonly trigger: string;
  readonly payload: Record<string, unknown>;
}

function record({ trigger, payload, traceContext, requestKey }: Prepared, now: number): TriggerInstanceRecord {
  return {
    _id: newId(),
    trigger,
    payload,
    occurrence_time: now,
    status: 'pending',
    ...(traceContext ? { trace_context: { ...traceContext } } : {}),
    ...(requestKey === undefined ? {} : { request_key: requestKey }),
    due: [RULES_ENGINE],
    due_at: now,
  };
}

/** Finds the trigger and checks the payload, which is stored unchanged, without schema defaults. */
async function prepare(deps: TriggersDependencies, request: DispatchRequest): Promise<Prepared> {
  const { requestKey, traceContext, validate = true } = request;
  const payload: unknown = request.payload ?? null;
  if (validate) checkRecordSize(payload, 'The payload of an event', deps.config.limits?.max_record_bytes);
  const target = await resolve(deps, request.trigger, validate);
  if (validate) checkPayload(deps, target, payload);
  if (payload !== null && !isPlainObject(payload))
    throw fault('trigger.payload-type', { type: pythonTypeName(payload) });
  return {
    trigger: target.ref,
    payload: payload ?? {},
    ...(requestKey === undefined ? {} : { requestKey }),
    ...(traceContext ? { traceContext } : {}),
  };
}

interface Target {
  /** Reference of the trigger. */
  readonly ref: string;
  readonly typeRef: string;
  /** Loaded only when the payload is checked. */
  readonly type?: TriggerTypeRecord | undefined;
}

async function resolve({ store }: TriggersDependencies, name: TriggerName, withType: boolean): Promise<Target> {
  if (typeof name === 'string') {
    const ref = storedRef(name);
    if (!withType) return { ref, typeRef: ref };
    const typeRef = (await store.triggers.byKey(ref))?.type ?? ref;
    return { ref, typeRef, type: await store.triggerTypes.byKey(typeRef) };
  }
  const typeRef = storedRef(name.type);
  const parameters = name.parameters ?? {};
  const trigger = await findTrigger(store.triggers, typeRef, parameters);
  if (!trigger) throw fault('trigger.unknown', { type: typeRef, parameters: pythonRepr(parameters) });
  return { ref: trigger.ref, typeRef, type: withType ? await store.triggerTypes.byKey(typeRef) : undefined };
}

/** @throws Fault `trigger.payload`; with validation off, logs a warning instead */
function checkPayload({ config, logger }: TriggersDependencies, target: Target, payload: unknown): void {
  const cause = problemOf(target, payload);
  if (cause === undefined) return;
  const error = refusal(target, payload, cause);
  if (config.system.validate_trigger_payload || alwaysChecked(target.typeRef)) throw error;
  logger.warn('A payload does not match its trigger type; dispatching it anyway.', {
    trigger: target.ref,
    cause,
  });
}

function problemOf({ typeRef, type }: Target, payload: unknown): string | undefined {
  if (!type) return fault('trigger.type-unknown', { ref: typeRef }).message;
  if (Object.keys(type.payload_schema).length === 0) return undefined;
  try {
    const outcome = compileSchema(type.payload_schema, { allowNone: true }).check(payload);
    return outcome.ok ? undefined : outcome.violation.message;
  } catch (error) {
    return messageOf(error);
  }
}

const LONGEST_PAYLOAD = 1000;

function refusal({ ref, type }: Target, payload: unknown, cause: string): Fault {
  const text = pythonStr(type ? maskBySchema(payload, type.payload_schema) : payload);
  const shown = text.length > LONGEST_PAYLOAD ? `${text.slice(0, LONGEST_PAYLOAD)}…` : text;
  return fault('trigger.payload', { trigger: ref, payload: shown, cause });
}
