import { Type, type Static } from '@sinclair/typebox';
import { bodyOf, idField, messageKind, traceField, type Fields, type Message } from './message-kind';

/** A chunk of output has been stored: the reader fetches it by execution and sequence number. */
export const executionOutputKind = messageKind({
  type: 'execution-output',
  exchanges: ['execution.output'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('execution-output'),
    execution_id: idField(),
    sequence: Type.Integer({ minimum: 0 }),
    output_type: Type.String({ minLength: 1, maxLength: 32 }),
    trace: traceField(),
  }),
});

export type ExecutionOutputMessage = Static<typeof executionOutputKind.schema>;

export function executionOutput(fields: Fields<ExecutionOutputMessage>): Message<ExecutionOutputMessage> {
  return { exchange: 'execution.output', routingKey: 'create', body: bodyOf(executionOutputKind, fields) };
}
