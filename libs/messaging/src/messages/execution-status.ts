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
    trace: traceField(),
  }),
});

export type ExecutionStatusMessage = Static<typeof executionStatusKind.schema>;

/** @param fields.pool for `scheduled`: only runners of that pool take it */
export function executionStatus({
  pool,
  ...fields
}: Fields<ExecutionStatusMessage> & { readonly pool?: string | null | undefined }): Message<ExecutionStatusMessage> {
  const pooled = fields.status === 'scheduled' && pool;
  return {
    exchange: 'liveaction.status',
    routingKey: pooled ? `scheduled.${pool}` : fields.status,
    body: bodyOf(executionStatusKind, fields),
  };
}
