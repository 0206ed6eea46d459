import { Type, type Static } from '@sinclair/typebox';
import {
  bodyOf,
  idField,
  messageKind,
  refField,
  revisionField,
  statusField,
  traceField,
  type Fields,
  type Message,
} from './message-kind';

/** A workflow execution has reached a status that the engine has to act on. */
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

export function workflowStatus(fields: Fields<WorkflowStatusMessage>): Message<WorkflowStatusMessage> {
  return { exchange: 'workflow.status', routingKey: fields.status, body: bodyOf(workflowStatusKind, fields) };
}
