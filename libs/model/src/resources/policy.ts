import { Type, type Static } from '@sinclair/typebox';
import { anyObject, described, flag, micros, packContent, schemaByName, sortable, text, texts, whole } from './fields';

/** A rule about the executions of one action. */
export const policyRecordSchema = Type.Object({
  ...packContent,
  enabled: flag,
  resource_ref: sortable(described(text, 'Reference of the action; it need not exist')),
  policy_type: sortable(described(text, 'Reference of the policy type')),
  parameters: described(anyObject, 'As defined by the policy type, with defaults'),
  metadata_file: text,
});
export type PolicyRecord = Static<typeof policyRecordSchema>;

const { _id, ...shown } = policyRecordSchema.properties;
/** A policy as the API shows it. */
export const policyAnswer = Type.Object({ id: _id, ...shown }, { title: 'Policy' });
export type Policy = Static<typeof policyAnswer>;

/** A type of policy; see `POLICY_TYPES`. */
export const policyTypeAnswer = Type.Object(
  {
    id: sortable(text),
    ref: sortable(text),
    uid: text,
    name: sortable(text),
    resource_type: sortable(text),
    description: text,
    enabled: flag,
    module: text,
    parameters: schemaByName,
  },
  { title: 'PolicyType' },
);
export type PolicyType = Static<typeof policyTypeAnswer>;

const limitedStart = Type.Object({ id: text, at: micros });
export type LimitedStart = Static<typeof limitedStart>;

/** The executions of one group that count towards the limit of a policy. */
export const limitRecordSchema = Type.Object({
  /** The group: its policy, and a digest of the values that its executions share. */
  _id: text,
  /** Differs with every write. */
  revision: whole,
  /** Executions that may run at present, for a policy that limits concurrency. */
  holders: texts,
  /** Recently started executions, in order, for a policy that limits starts. */
  starts: Type.Array(limitedStart),
  /** The scheduler that last took the room of each execution and may give it back; absent for those that were counted
   * while running. */
  takers: Type.Optional(Type.Record(text, text)),
});
export type LimitRecord = Static<typeof limitRecordSchema>;
