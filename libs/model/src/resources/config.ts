import { Type, type Static } from '@sinclair/typebox';
import { anyObject, described, sortable, text } from './fields';

/** The configuration schema of a pack, from its `config.schema.yaml`. */
export const configSchemaRecordSchema = Type.Object({
  _id: sortable(text),
  pack: sortable(described(text, 'Reference of the pack')),
  attributes: described(anyObject, 'A schema for each attribute'),
});
export type ConfigSchemaRecord = Static<typeof configSchemaRecordSchema>;

const { _id: schemaId, ...shownOfSchema } = configSchemaRecordSchema.properties;
/** The schema of a pack's configuration, as the API shows it. */
export const configSchemaAnswer = Type.Object({ id: schemaId, ...shownOfSchema }, { title: 'ConfigSchema' });
export type ConfigSchema = Static<typeof configSchemaAnswer>;

/** The configuration of a pack as given. Defaults and templates are applied whenever it is read. */
export const configRecordSchema = Type.Object({
  _id: sortable(text),
  pack: sortable(described(text, 'Reference of the pack, which need not exist')),
  values: anyObject,
  /** Why the values could not be opened, in lists with such a record; they are empty then. Never stored. */
  problem: Type.Optional(text),
});
export type ConfigRecord = Static<typeof configRecordSchema>;

const { _id, problem: _problem, ...shown } = configRecordSchema.properties;
/** A configuration as the API shows it: secrets are masked, defaults are not applied. */
export const configAnswer = Type.Object(
  {
    id: _id,
    ...shown,
    error: Type.Optional(described(text, 'Why the stored values cannot be decrypted; then none are shown')),
  },
  { title: 'PackConfiguration' },
);
export type PackConfiguration = Static<typeof configAnswer>;
