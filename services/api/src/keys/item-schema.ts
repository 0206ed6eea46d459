import { Type, type Static } from '@sinclair/typebox';
import { DAY_MS, SECOND_MS } from '@switchyard/base';

/** A hundred years. */
const MAX_TTL_SECONDS = (100 * 365 * DAY_MS) / SECOND_MS;

/**
 * The body that a client sends. It may be a whole item: members that are not named here are ignored. An invalid member
 * may be a secret value in the wrong place, so errors do not repeat it.
 */
export const itemBody = Type.Object(
  {
    name: Type.String(),
    value: Type.String(),
    secret: Type.Optional(Type.Boolean()),
    encrypted: Type.Optional(Type.Boolean()),
    scope: Type.Optional(Type.String()),
    ttl: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_TTL_SECONDS })),
    user: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
    description: Type.Optional(Type.String()),
  },
  { title: 'KeyBody', secret: true },
);

export type ItemBody = Static<typeof itemBody>;
