import { Type, type Static } from '@sinclair/typebox';
import { DAY_MS, SECOND_MS } from '@switchyard/base';

/** How an item is answered. */
export const itemSchema = Type.Object({
  id: Type.String(),
  uid: Type.String(),
  name: Type.String(),
  scope: Type.String(),
  value: Type.String(),
  secret: Type.Boolean(),
  encrypted: Type.Boolean(),
  description: Type.Optional(Type.String()),
  expire_timestamp: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
});

/** A hundred years. */
const MAX_TTL_SECONDS = (100 * 365 * DAY_MS) / SECOND_MS;

/** What a client sends. It may send a whole item: members that are not named here say nothing. */
export const itemBody = Type.Object({
  name: Type.String(),
  value: Type.String(),
  secret: Type.Optional(Type.Boolean()),
  encrypted: Type.Optional(Type.Boolean()),
  scope: Type.Optional(Type.String()),
  ttl: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_TTL_SECONDS })),
  user: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
  description: Type.Optional(Type.String()),
});

export type ItemBody = Static<typeof itemBody>;
