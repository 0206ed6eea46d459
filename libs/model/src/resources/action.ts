import { Type, type Static } from '@sinclair/typebox';
import { anyObject, described, flag, packContent, schemaByName, sortable, tag, text } from './fields';

/** Parameter definitions by name: JSON Schema draft 4 with boolean `required`, `immutable`, `secret`, `position`. */
export type ParameterDefinitions = Record<string, Record<string, unknown>>;

const notifySection = Type.Object(
  {
    message: Type.Optional(text),
    data: Type.Optional(anyObject),
    /** The route of an alias that was run without one is null. */
    routes: Type.Optional(Type.Array(Type.Unsafe<string | null>({ type: ['string', 'null'] }))),
    literal: Type.Optional(described(flag, 'The data may come from users: templates in it are not rendered')),
  },
  { title: 'NotifySection' },
);
export type NotifySection = Static<typeof notifySection>;

export const notifySpec = Type.Object(
  {
    'on-complete': Type.Optional(notifySection),
    'on-success': Type.Optional(notifySection),
    'on-failure': Type.Optional(notifySection),
  },
  { title: 'NotifySpec' },
);
export type NotifySpec = Static<typeof notifySpec>;

export const actionRecordSchema = Type.Object({
  ...packContent,
  enabled: flag,
  runner_type: described(text, 'Name of the runner'),
  entry_point: text,
  parameters: schemaByName,
  output_schema: anyObject,
  tags: Type.Array(tag),
  notify: notifySpec,
  metadata_file: described(text, 'Path in the pack'),
  idempotent: Type.Optional(described(flag, 'It may run again if its runner dies')),
  pool: Type.Optional(described(text, 'Only runners of this pool run it; the default pool when absent')),
  /** Hash of its metadata file. */
  content_hash: Type.Optional(text),
});
export type ActionRecord = Static<typeof actionRecordSchema>;

const { _id, content_hash: _hash, ...shown } = actionRecordSchema.properties;
/** An action as the API shows it. */
export const actionAnswer = Type.Object({ id: _id, ...shown }, { title: 'Action' });
export type Action = Static<typeof actionAnswer>;

export const runnerTypeRecordSchema = Type.Object({
  _id: sortable(text),
  uid: text,
  name: sortable(text),
  description: Type.Optional(text),
  enabled: flag,
  runner_package: text,
  runner_module: text,
  query_module: Type.Optional(text),
  runner_parameters: schemaByName,
  output_key: Type.Optional(text),
  output_schema: anyObject,
});
export type RunnerTypeRecord = Static<typeof runnerTypeRecordSchema>;

const { _id: runnerTypeId, ...shownOfRunnerType } = runnerTypeRecordSchema.properties;
/** A runner type as the API shows it. */
export const runnerTypeAnswer = Type.Object({ id: runnerTypeId, ...shownOfRunnerType }, { title: 'RunnerType' });
export type RunnerType = Static<typeof runnerTypeAnswer>;

/** The definitions of an action and its runner when an execution was requested; stored once per content. */
export const definitionRecordSchema = Type.Object({
  /** SHA-256 of the canonical JSON of the other two members. */
  _id: text,
  action: Type.Object({ id: _id, ...shown, content_hash: Type.Optional(text) }),
  runner: runnerTypeAnswer,
});
export type DefinitionRecord = Static<typeof definitionRecordSchema>;
