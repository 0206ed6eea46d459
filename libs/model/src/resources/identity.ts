import { Type, type Static } from '@sinclair/typebox';
import { anyObject, date, described, flag, isoTime, micros, text, textOrNull, texts } from './fields';
import { givenGrantSchema } from './role';

export const userRecordSchema = Type.Object({
  _id: text,
  name: text,
  is_service: flag,
  nicknames: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
});
export type UserRecord = Static<typeof userRecordSchema>;

export const tokenRecordSchema = Type.Object({
  _id: text,
  user: text,
  /** SHA-256 of the token. Only its holder knows the token itself. */
  token_hash: text,
  /** A date, so that the store's TTL index can remove the record. */
  expiry: date,
  metadata: anyObject,
  service: flag,
  /** Tokens of older versions lack it. */
  created_at: Type.Optional(micros),
  /** The client's address; absent if no client requested it. */
  address: Type.Optional(text),
  client: Type.Optional(text),
  /** Only for tokens for unattended use. */
  service_name: Type.Optional(text),
  role: Type.Optional(text),
});
export type TokenRecord = Static<typeof tokenRecordSchema>;

/** A token when it is issued; the only answer that contains it. */
export const tokenAnswer = Type.Object(
  { id: text, user: text, token: text, expiry: isoTime, metadata: anyObject, service: flag },
  { title: 'Token' },
);
export type Token = Static<typeof tokenAnswer>;

/** A request for a token for unattended use. */
export const unattendedTokenBody = Type.Object(
  {
    service: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the service that uses it' }),
    role: Type.String({ minLength: 1, description: 'It permits only what this role does' }),
    expires_at: Type.Optional(described(text, 'A time within ten years; in a year by default')),
  },
  { title: 'UnattendedTokenBody', additionalProperties: false },
);

/** A token that was issued. Neither the token nor its hash is shown. */
export const listedTokenAnswer = Type.Object(
  {
    id: text,
    user: text,
    created_at: Type.Optional(isoTime),
    expiry: isoTime,
    service: described(flag, 'Whether it belongs to an action or a sensor of the user instead of a login'),
    metadata: anyObject,
    address: Type.Optional(described(text, 'Address from which it was requested')),
    client: Type.Optional(described(text, 'The name of the program that requested it, as reported by the program')),
    service_name: Type.Optional(described(text, 'Of a token for unattended use: the service that uses it')),
    role: Type.Optional(described(text, 'Of a token for unattended use: it permits only what this role does')),
  },
  { title: 'ListedToken' },
);
export type ListedToken = Static<typeof listedTokenAnswer>;

/** The limits of a key that permits less than its user may do. Absent fields do not limit it. */
const limitFields = {
  role: Type.Optional(described(text, 'The key permits what this role does, and only if its user may do it')),
  permission_grants: Type.Optional(
    described(Type.Array(givenGrantSchema), 'The key permits this, and only if its user may do it'),
  ),
  allowed_addresses: Type.Optional(described(texts, 'Addresses and networks from which the key may be used')),
  expires_at: Type.Optional(micros),
};

export const apiKeyRecordSchema = Type.Object({
  _id: text,
  uid: text,
  user: text,
  key_hash: text,
  metadata: anyObject,
  created_at: micros,
  enabled: flag,
  ...limitFields,
  last_used_at: Type.Optional(micros),
});
export type ApiKeyRecord = Static<typeof apiKeyRecordSchema>;

const { _id, ...shown } = apiKeyRecordSchema.properties;
/** An API key as the API shows it. Its hash and uid are masked for most users. */
export const apiKeyAnswer = Type.Object(
  {
    id: _id,
    ...shown,
    created_at: isoTime,
    expires_at: Type.Optional(isoTime),
    last_used_at: Type.Optional(described(isoTime, 'Recorded once a minute at most')),
  },
  { title: 'ApiKey' },
);
export type ApiKey = Static<typeof apiKeyAnswer>;

const { key_hash: _hash, last_used_at: _lastUsed, ...shownOfNew } = apiKeyAnswer.properties;
/** An API key when it is created; the only answer that contains it. */
export const newApiKeyAnswer = Type.Object(
  { ...shownOfNew, key: described(textOrNull, 'Null if the client sent the hash of a key that exists elsewhere') },
  { title: 'NewApiKey' },
);
export type NewApiKey = Static<typeof newApiKeyAnswer>;

/** The owner of a credential and what it allows. */
export const currentUserAnswer = Type.Object(
  {
    username: text,
    authentication: Type.Object({ method: text, location: text, token_expire: Type.Optional(isoTime) }),
    rbac: Type.Object({ enabled: flag, roles: texts, is_admin: flag }),
  },
  { title: 'CurrentUser' },
);
export type CurrentUser = Static<typeof currentUserAnswer>;

/** A permission type that somebody has, and where. */
export const heldPermissionAnswer = Type.Object(
  {
    permission_type: text,
    description: described(text, 'What it allows'),
    everywhere: described(flag, 'Whether it applies to all resources'),
    resources: described(texts, 'Otherwise, the uids of resources; a pack stands for everything in it'),
  },
  { title: 'HeldPermission' },
);
export type HeldPermission = Static<typeof heldPermissionAnswer>;
