import { Type, type Static, type TObject } from '@sinclair/typebox';
import { described, isoTime, micros, oneOfTexts, sortable, text, texts, whole } from './fields';

export const auditKinds = ['change', 'login', 'refusal', 'secrets', 'checkpoint', 'retention'] as const;
export type AuditKind = (typeof auditKinds)[number];
export const auditOutcomes = ['succeeded', 'failed', 'refused'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

const auditHead = Type.Object(
  { writer: text, sequence: whole, hash: text },
  { title: 'AuditHead', description: 'A record of a writer, with its hash' },
);
export type AuditHead = Static<typeof auditHead>;

/** What happened, without its place in a chain. */
const auditEntryFields = {
  kind: oneOfTexts(
    auditKinds,
    'A checkpoint names the last records of the other writers; retention names the last one of each that was removed for its age',
  ),
  user: sortable(described(text, 'Of a failed login, the name that was given; empty if the user is unknown')),
  authenticated_by: described(text, 'token, api key, password, sso, signature or none'),
  address: described(text, 'The address of the client'),
  operation: sortable(described(text, 'The operation id of the route, or unknown')),
  resource_type: text,
  resource: described(text, 'The reference or id in the path, or the id of what was created; may be empty'),
  outcome: oneOfTexts(auditOutcomes),
  status: described(whole, 'Status of the HTTP response'),
  request_id: text,
  changed: described(texts, 'Names of the fields in the request, without their values'),
  heads: Type.Optional(described(Type.Array(auditHead), 'Of a checkpoint or retention')),
  omitted: Type.Optional(described(whole, 'How many earlier entries of this writer were not recorded')),
};

const chainFields = {
  writer: described(text, 'The process that wrote the record; another one after each start'),
  sequence: described(whole, 'From 1, for each writer'),
  previous: described(text, 'Hash of the previous record of the writer; empty for the first'),
  hash: described(text, 'SHA-256 of the other fields'),
};

/** What happened, before it is recorded. */
export type AuditEntry = Static<TObject<typeof auditEntryFields>>;

/** One event of the audit trail. Its id is its writer and its sequence number. */
export const auditRecordSchema = Type.Object({
  _id: text,
  time: sortable(micros),
  ...auditEntryFields,
  ...chainFields,
});
export type AuditRecord = Static<typeof auditRecordSchema>;

/** A record of the audit trail as the API shows it. */
export const auditAnswer = Type.Object(
  { id: text, time: isoTime, ...auditEntryFields, ...chainFields },
  { title: 'AuditRecord' },
);
export type Audit = Static<typeof auditAnswer>;

/** The result of a check of the whole trail. */
export const auditCheckAnswer = Type.Object(
  {
    intact: Type.Boolean(),
    records: whole,
    writers: whole,
    first_bad: Type.Optional(described(text, 'Id of the first record that is missing or altered')),
    problem: Type.Optional(text),
  },
  { title: 'AuditCheck' },
);
export type AuditCheck = Static<typeof auditCheckAnswer>;
