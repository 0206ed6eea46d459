import { Type, type Static } from '@sinclair/typebox';
import { KIB } from '@switchyard/base';
import {
  bodyOf,
  changeField,
  idField,
  messageKind,
  refField,
  traceField,
  type Message,
  type MessageFields,
} from './message-kind';

/** A record of a trigger, rule, sensor type, alias or workflow was written. The exchange determines which one. */
export const recordChangeKind = messageKind({
  type: 'record-change',
  exchanges: ['trigger', 'rule', 'sensor', 'actionalias', 'workflow'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('record-change'),
    change: changeField(),
    id: idField(),
    ref: refField(),
    trace: traceField(),
  }),
});

export type RecordChangeMessage = Static<typeof recordChangeKind.schema>;

export function recordChange({
  record,
  ...fields
}: MessageFields<RecordChangeMessage> & {
  readonly record: 'trigger' | 'rule' | 'sensor' | 'actionalias' | 'workflow';
}): Message<RecordChangeMessage> {
  return { exchange: record, routingKey: fields.change, body: bodyOf(recordChangeKind, fields) };
}

/** A trigger instance was stored and waits for the rules engine. `ref` is that of the trigger. */
export const triggerInstanceKind = messageKind({
  type: 'trigger-instance',
  exchanges: ['trigger_instances_dispatch'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('trigger-instance'),
    id: idField(),
    ref: refField(),
    trace: traceField(),
  }),
});

export type TriggerInstanceMessage = Static<typeof triggerInstanceKind.schema>;

export function triggerInstance(fields: MessageFields<TriggerInstanceMessage>): Message<TriggerInstanceMessage> {
  return {
    exchange: 'trigger_instances_dispatch',
    routingKey: 'trigger_instance',
    body: bodyOf(triggerInstanceKind, fields),
  };
}

/** User data for stream clients. It has no record, so the message contains all of it. */
export const announcementKind = messageKind({
  type: 'announcement',
  exchanges: ['announcement'],
  maxBytes: 256 * KIB,
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('announcement'),
    route: Type.String({ minLength: 1, maxLength: 255 }),
    payload: Type.Unknown(),
    /** In the form for stream clients: `{id_, trace_tag}` or null. */
    trace_context: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    trace: traceField(),
  }),
});

export type AnnouncementMessage = Static<typeof announcementKind.schema>;

/** The routing key is the route, which may contain dots. */
export function announcement({
  trace_context = null,
  ...fields
}: Omit<MessageFields<AnnouncementMessage>, 'trace_context'> & {
  readonly trace_context?: Record<string, unknown> | null;
}): Message<AnnouncementMessage> {
  return {
    exchange: 'announcement',
    routingKey: fields.route,
    body: bodyOf(announcementKind, { ...fields, payload: fields.payload ?? null, trace_context }),
  };
}
