import { Type, type Static } from '@sinclair/typebox';
import {
  bodyOf,
  changeField,
  idField,
  messageKind,
  refField,
  revisionField,
  statusField,
  traceField,
  type Fields,
  type Message,
} from './message-kind';

/** The record of an execution has been written. One message tells of both its views, execution and live action. */
export const executionChangeKind = messageKind({
  type: 'execution-change',
  exchanges: ['execution'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('execution-change'),
    change: changeField(),
    id: idField(),
    liveaction_id: idField(),
    ref: refField(),
    status: statusField(),
    revision: revisionField(),
    /** Who had to act on the record when this was sent: spares the others a look. */
    due: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 16 })),
    trace: traceField(),
  }),
});

export type ExecutionChangeMessage = Static<typeof executionChangeKind.schema>;

/**
 * An update that nobody has to act on goes by `update.<status>`, which only watchers bind: the work queues, which bind
 * `update`, hold what there is to do.
 */
export function executionChange(fields: Fields<ExecutionChangeMessage>): Message<ExecutionChangeMessage> {
  const isNews = fields.change === 'update' && !fields.due?.length;
  return {
    exchange: 'execution',
    routingKey: isNews ? `update.${fields.status}` : fields.change,
    body: bodyOf(executionChangeKind, fields),
  };
}
