import {
  checkRecordSize,
  fault,
  isPlainObject,
  messageOf,
  newId,
  randomHex,
  type Fault,
  type Id,
} from '@switchyard/base';
import { recordChange, triggerInstance, type Message } from '@switchyard/messaging';
import {
  compileSchema,
  maskBySchema,
  pythonRepr,
  pythonStr,
  pythonTypeName,
  type RuleRecord,
  type TriggerInstanceRecord,
  type TriggerRecord,
  type TriggerTypeRecord,
} from '@switchyard/model';
import { startingWith } from '@switchyard/storage';
import { carrierOf, inSpan, noSpans, type SpanContext } from '@switchyard/telemetry';
import type { TriggersDependencies } from './triggers';
import { alwaysChecked, storedRef, findTrigger } from './trigger-record';

/** The consumer of trigger instances. */
const RULES_ENGINE = 'rules-engine';

export interface Dispatcher {
  readonly dispatch: Dispatch;
  /** Dispatches several events: if one is refused, none is dispatched. */
  dispatchAll(requests: readonly DispatchRequest[]): Promise<TriggerInstanceRecord[]>;
}

export function createDispatcher(deps: TriggersDependencies, announce: TriggerAnnouncer): Dispatcher {
  const { store, clock, spans = noSpans } = deps;

  /** The rules that match an instance belong to the span with which it was stored. */
  const insert = (each: Prepared) =>
    inSpan(
      { spans, clock },
      { name: `trigger ${each.trigger}`, kind: 'producer', attributes: { 'svc.trigger.ref': each.trigger } },
      () => store.triggerInstances.insertOnce(record(each, clock.nowMicros(), spans.active())),
    );

  async function dispatchAll(requests: readonly DispatchRequest[]): Promise<TriggerInstanceRecord[]> {
    const prepared: Prepared[] = [];
    for (const request of requests) prepared.push(await prepare(deps, request));
    const stored: { record: TriggerInstanceRecord; created: boolean }[] = [];
    for (const each of prepared) stored.push(await insert(each));
    announce.dispatched(stored.filter(({ created }) => created).map(({ record }) => record));
    return stored.map(({ record }) => record);
  }

  return { dispatchAll, dispatch: async (request) => (await dispatchAll([request]))[0] as TriggerInstanceRecord };
}

interface Prepared extends Pick<DispatchRequest, 'requestKey' | 'traceContext'> {
  readonly trigger: string;
  readonly payload: Record<string, unknown>;
}

function record(
  { trigger, payload, traceContext, requestKey }: Prepared,
  now: number,
  span: SpanContext | undefined,
): TriggerInstanceRecord {
  return {
    _id: newId(),
    trigger,
    payload,
    occurrence_time: now,
    status: 'pending',
    ...(traceContext ? { trace_context: { ...traceContext } } : {}),
    ...(requestKey === undefined ? {} : { request_key: requestKey }),
    ...(span && carrierOf(span)),
    due: [RULES_ENGINE],
    due_at: now,
  };
}

/** Finds the trigger and checks the payload, which is stored unchanged, without schema defaults. */
async function prepare(deps: TriggersDependencies, request: DispatchRequest): Promise<Prepared> {
  const { requestKey, traceContext, validate = true } = request;
  const payload: unknown = request.payload ?? null;
  if (validate) checkRecordSize(payload, 'The payload of an event', deps.config.limits?.max_record_bytes);
  const target = await resolve(deps, request, validate);
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

async function resolve(
  { store }: TriggersDependencies,
  { trigger: name, found }: DispatchRequest,
  withType: boolean,
): Promise<Target> {
  if (typeof name === 'string') {
    const ref = storedRef(name);
    if (!withType) return { ref, typeRef: ref };
    const typeRef = (found ?? (await store.triggers.byKey(ref)))?.type ?? ref;
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

/** Identifies a trigger by reference, or by type and parameters. */
export type TriggerName = string | { readonly type: string; readonly parameters?: Readonly<Record<string, unknown>> };

export interface DispatchTrace {
  /** Id of an existing trace. */
  readonly id_?: string;
  /** Starts a new one. */
  readonly trace_tag?: string;
}

/** An event to dispatch. */
export interface DispatchRequest {
  readonly trigger: TriggerName;
  /** The trigger, if the caller has just read it. */
  readonly found?: Pick<TriggerRecord, 'type'>;
  readonly payload?: Readonly<Record<string, unknown>> | null;
  readonly traceContext?: DispatchTrace | null;
  /** A second dispatch with the same key returns the first instance. */
  readonly requestKey?: string;
  /** False for events of the system itself. Otherwise the payload is checked as configured. */
  readonly validate?: boolean;
}

/**
 * Stores a trigger instance and notifies the rules engine. Once this resolves, the instance cannot be lost.
 * @throws Fault `trigger.payload` and others when validation is on and the trigger or payload is invalid
 */
export type Dispatch = (request: DispatchRequest) => Promise<TriggerInstanceRecord>;

/** Announces changes to other processes. Messages are hints: work is marked as due in the store, and watchers also poll it. */
export interface TriggerAnnouncer {
  changed(change: 'create' | 'update' | 'delete', trigger: TriggerRecord): void;
  ruleChanged(change: 'create' | 'update' | 'delete', rule: Pick<RuleRecord, '_id' | 'ref'>): void;
  dispatched(instances: readonly TriggerInstanceRecord[]): void;
}

export function createTriggerAnnouncer({
  publisher,
  logger,
  onRuleChange,
}: Pick<TriggersDependencies, 'publisher' | 'logger' | 'onRuleChange'>): TriggerAnnouncer {
  const send = (messages: readonly Message[]) => {
    publisher.publishAll(messages).catch((error: unknown) => {
      logger.warn('Failed to announce a trigger change; consumers will find it in the store.', { error });
    });
  };
  return {
    changed: (change, { _id, ref }) => send([recordChange({ record: 'trigger', change, id: _id, ref })]),
    ruleChanged(change, { _id, ref }) {
      onRuleChange?.();
      send([recordChange({ record: 'rule', change, id: _id, ref })]);
    },
    dispatched: (instances) =>
      send(instances.map((record) => triggerInstance({ id: record._id, ref: record.trigger, trace: traceOf(record) }))),
  };
}

const LONGEST_TRACE = 200;

const traceOf = ({ trace_context: { trace_tag: tag, id_: id } = {} }: TriggerInstanceRecord): string | null => {
  const text = tag ?? id;
  return typeof text === 'string' ? text.slice(0, LONGEST_TRACE) : null;
};

/*
 * Request keys of trigger instances about an execution: its status, a notification, an announcement by its action. They
 * start with the execution's id, so that a query by prefix finds them all and the trace need not list them.
 */

/** @param what distinguishes the instances of one execution */
export const executionKey = (execution: Id, ...what: readonly (string | number)[]): string =>
  [execution, ...what].join(':');

/** A filter that matches exactly the keys of one execution. */
export const keysOfExecution = (execution: Id) => startingWith(`${execution}:`);

/** @returns the id of the execution that a key belongs to; undefined for other keys and for no key */
export const executionOfKey = (key = ''): Id | undefined => /^([0-9a-f]{24}):/.exec(key)?.[1];

/*
 * Tags that the system assigns to traces of events without a tag. Traces with the same tag are joined, except for these
 * tags: a timer's tag is the same each time, a webhook's never is.
 */

/** `st2.IntervalTimer-<name of the trigger>`. @param type the reference of the trigger type */
export const timerTag = (type: string, name: string): string => `st2.${type.slice(type.lastIndexOf('.') + 1)}-${name}`;

const HEX_DIGITS = 32;
/** Longer hook names are cut, so that the tag with its random part stays within the length limit. */
const LONGEST_HOOK = 400;

export const webhookTag = (hook: string): string => `webhook-${hook.slice(0, LONGEST_HOOK)}-${randomHex(HEX_DIGITS)}`;

export const namesNoEvent = (tag: string): boolean => GIVEN.test(tag);

const GIVEN = new RegExp(`(?:^|\\.)(?:Interval|Date|Cron)Timer-|^webhook-.*-[0-9a-f]{${HEX_DIGITS}}$`, 's');
