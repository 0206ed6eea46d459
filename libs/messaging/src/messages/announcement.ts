import { Type, type Static } from '@sinclair/typebox';
import { KIB } from '@switchyard/base';
import { bodyOf, messageKind, traceField, type Fields, type Message } from './message-kind';

/** User data on its way to stream clients. There is no record behind it, so it travels whole. */
export const announcementKind = messageKind({
  type: 'announcement',
  exchanges: ['announcement'],
  maxBytes: 256 * KIB,
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('announcement'),
    route: Type.String({ minLength: 1, maxLength: 255 }),
    payload: Type.Unknown(),
    /** As stream clients see it: `{id_, trace_tag}` or null. */
    trace_context: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    trace: traceField(),
  }),
});

export type AnnouncementMessage = Static<typeof announcementKind.schema>;

/** The route, which may have dots, is the routing key. */
export function announcement({
  trace_context = null,
  ...fields
}: Omit<Fields<AnnouncementMessage>, 'trace_context'> & {
  readonly trace_context?: Record<string, unknown> | null;
}): Message<AnnouncementMessage> {
  return {
    exchange: 'announcement',
    routingKey: fields.route,
    body: bodyOf(announcementKind, { ...fields, payload: fields.payload ?? null, trace_context }),
  };
}
