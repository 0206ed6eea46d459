import { Type, type Static } from '@sinclair/typebox';
import { bodyOf, idField, messageKind, traceField, type Fields, type Message } from './message-kind';

/** A request to the runner process that owns an execution. `claim` is the number of the claim that is meant. */
export const runnerControlKind = messageKind({
  type: 'runner-control',
  exchanges: ['actionrunner.control'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('runner-control'),
    verb: Type.Union([Type.Literal('cancel'), Type.Literal('pause'), Type.Literal('resume')]),
    id: idField(),
    claim: Type.Integer({ minimum: 0 }),
    trace: traceField(),
  }),
});

export type RunnerControlMessage = Static<typeof runnerControlKind.schema>;

/** @param fields.instance the runner process, as in `controlQueue(instance)` */
export function runnerControl({
  instance,
  ...fields
}: Fields<RunnerControlMessage> & { readonly instance: string }): Message<RunnerControlMessage> {
  return { exchange: 'actionrunner.control', routingKey: instance, body: bodyOf(runnerControlKind, fields) };
}
