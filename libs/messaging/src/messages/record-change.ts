import { Type, type Static } from '@sinclair/typebox';
import {
  bodyOf,
  changeField,
  idField,
  messageKind,
  refField,
  traceField,
  type Fields,
  type Message,
} from './message-kind';

/** A trigger, rule, sensor type, alias or workflow record has been written; the exchange says which. */
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
}: Fields<RecordChangeMessage> & {
  readonly record: 'trigger' | 'rule' | 'sensor' | 'actionalias' | 'workflow';
}): Message<RecordChangeMessage> {
  return { exchange: record, routingKey: fields.change, body: bodyOf(recordChangeKind, fields) };
}
