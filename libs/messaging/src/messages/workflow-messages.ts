import { Type, type Static } from '@sinclair/typebox';
import {
  bodyOf,
  idField,
  messageKind,
  refField,
  revisionField,
  statusField,
  traceField,
  type Message,
  type MessageFields,
} from './message-kind';

/** A workflow execution reached a status that needs action by an engine. */
export const workflowStatusKind = messageKind({
  type: 'workflow-status',
  exchanges: ['workflow.status'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('workflow-status'),
    id: idField(),
    ref: refField(),
    status: statusField(),
    revision: revisionField(),
    trace: traceField(),
  }),
});

export type WorkflowStatusMessage = Static<typeof workflowStatusKind.schema>;

/** @param isHandled whether an engine already acts on it. Then the routing key is `handled.<status>`, which no work
 * queue binds. */
export function workflowStatus(
  fields: MessageFields<WorkflowStatusMessage>,
  isHandled = false,
): Message<WorkflowStatusMessage> {
  const { status } = fields;
  return {
    exchange: 'workflow.status',
    routingKey: isHandled ? `handled.${status}` : status,
    body: bodyOf(workflowStatusKind, fields),
  };
}

/** An execution changed in a way that matters to a workflow of one engine. */
export const workflowNewsKind = messageKind({
  type: 'workflow-news',
  exchanges: ['workflow'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('workflow-news'),
    /** The id of the execution. */
    id: idField(),
    trace: traceField(),
  }),
});

export type WorkflowNewsMessage = Static<typeof workflowNewsKind.schema>;

/** @param fields.engine the process, as in `engineQueue(engine)` */
export function workflowNews({
  engine,
  ...fields
}: MessageFields<WorkflowNewsMessage> & { readonly engine: string }): Message<WorkflowNewsMessage> {
  return { exchange: 'workflow', routingKey: `engine.${engine}`, body: bodyOf(workflowNewsKind, fields) };
}
