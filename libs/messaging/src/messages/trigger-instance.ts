import { Type, type Static } from '@sinclair/typebox';
import { bodyOf, idField, messageKind, refField, traceField, type Fields, type Message } from './message-kind';

/** A trigger instance has been stored and waits for the rules. `ref` is the trigger's. */
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

export function triggerInstance(fields: Fields<TriggerInstanceMessage>): Message<TriggerInstanceMessage> {
  return {
    exchange: 'trigger_instances_dispatch',
    routingKey: 'trigger_instance',
    body: bodyOf(triggerInstanceKind, fields),
  };
}
