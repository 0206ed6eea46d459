import { Type } from '@sinclair/typebox';

/** A question that waits for an answer; attributes that were not asked for are left out. */
export const inquirySchema = Type.Object({
  id: Type.String(),
  route: Type.Optional(Type.String()),
  ttl: Type.Optional(Type.Integer()),
  users: Type.Optional(Type.Array(Type.String())),
  roles: Type.Optional(Type.Array(Type.String())),
  schema: Type.Optional(Type.Object({})),
});
