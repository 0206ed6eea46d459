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

/** An execution has reached a status that somebody has to act on. `id` is the execution's, `ref` the action's. */
export const executionStatusKind = messageKind({
  type: 'execution-status',
  exchanges: ['liveaction.status'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('execution-status'),
    id: idField(),
    ref: refField(),
    status: statusField(),
    revision: revisionField(),
    /** With `requested`: its time has not come yet. */
    delayed: Type.Optional(Type.Boolean()),
    /** With `requested`: a policy limits how many of it may go on. */
    limited: Type.Optional(Type.Boolean()),
    /** The runners that may take it; absent for the default ones. */
    pool: Type.Optional(Type.String()),
    /** With `requested`: the queue in which it waits when there is no room for it. */
    share: Type.Optional(Type.String({ maxLength: 256 })),
    trace: traceField(),
  }),
});

export type ExecutionStatusMessage = Static<typeof executionStatusKind.schema>;

export function executionStatus(fields: Fields<ExecutionStatusMessage>): Message<ExecutionStatusMessage> {
  const { status, pool } = fields;
  return {
    exchange: 'liveaction.status',
    routingKey: status === 'scheduled' && pool !== undefined ? `scheduled.${pool}` : status,
    body: bodyOf(executionStatusKind, fields),
  };
}
