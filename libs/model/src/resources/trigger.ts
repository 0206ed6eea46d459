import { Type, type Static } from '@sinclair/typebox';
import { anyObject, described, packContent, sortable, tag, text } from './fields';

/** A kind of event and its payload. */
export const triggerTypeRecordSchema = Type.Object({
  ...packContent,
  payload_schema: described(anyObject, 'JSON Schema of the payload; empty: payloads are not checked'),
  parameters_schema: described(
    anyObject,
    "JSON Schema of the parameters; empty: there is exactly one trigger, of the type's own name",
  ),
  tags: Type.Array(tag),
  metadata_file: text,
});
export type TriggerTypeRecord = Static<typeof triggerTypeRecordSchema>;

const { _id: typeId, ...shownOfType } = triggerTypeRecordSchema.properties;
/** A trigger type as the API shows it. Without a file, it has no `metadata_file`. */
export const triggerTypeAnswer = Type.Object(
  { id: typeId, ...shownOfType, metadata_file: Type.Optional(text) },
  { title: 'TriggerType' },
);
export type TriggerType = Static<typeof triggerTypeAnswer>;

/** A trigger type with parameters, which rules refer to. */
export const triggerRecordSchema = Type.Object({
  _id: sortable(text),
  ref: sortable(text),
  uid: text,
  name: sortable(text),
  pack: sortable(text),
  type: sortable(described(text, 'Reference of the trigger type')),
  parameters: anyObject,
  /** Digest of the canonical JSON of `parameters`. Equal parameters are one trigger, whatever the order of their keys. */
  parameters_hash: text,
  description: Type.Optional(text),
});
export type TriggerRecord = Static<typeof triggerRecordSchema>;

const { _id, parameters_hash: _hash, ...shown } = triggerRecordSchema.properties;
/** A trigger as the API shows it. */
export const triggerAnswer = Type.Object({ id: _id, ...shown }, { title: 'Trigger' });
export type Trigger = Static<typeof triggerAnswer>;
