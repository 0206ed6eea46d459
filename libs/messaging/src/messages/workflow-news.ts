import { Type, type Static } from '@sinclair/typebox';
import { bodyOf, idField, messageKind, traceField, type Fields, type Message } from './message-kind';

/** Something has happened to an execution that concerns a workflow which one engine works on. */
export const workflowNewsKind = messageKind({
  type: 'workflow-news',
  exchanges: ['workflow'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('workflow-news'),
    /** The execution's. */
    id: idField(),
    trace: traceField(),
  }),
});

export type WorkflowNewsMessage = Static<typeof workflowNewsKind.schema>;

/** @param fields.engine the process, as in `engineQueue(engine)` */
export function workflowNews({
  engine,
  ...fields
}: Fields<WorkflowNewsMessage> & { readonly engine: string }): Message<WorkflowNewsMessage> {
  return { exchange: 'workflow', routingKey: `engine.${engine}`, body: bodyOf(workflowNewsKind, fields) };
}
