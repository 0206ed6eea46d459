import { Type, type Static } from '@sinclair/typebox';
import { anyObject, described, text, texts } from './fields';

export const packRecordSchema = Type.Object({
  _id: text,
  ref: text,
  uid: text,
  name: described(text, 'Display name'),
  description: text,
  version: text,
  author: text,
  email: Type.Optional(text),
  keywords: texts,
  contributors: texts,
  dependencies: texts,
  files: texts,
  python_versions: texts,
  stackstorm_version: Type.Optional(text),
  system: anyObject,
  path: Type.Optional(text),
  /** Unknown attributes of pack.yaml, shown unchanged. */
  other: Type.Optional(anyObject),
});
export type PackRecord = Static<typeof packRecordSchema>;

const { _id, other: _other, ...shown } = packRecordSchema.properties;
/** A pack as the API shows it, including the unknown attributes of its pack.yaml. */
export const packAnswer = Type.Object({ id: _id, ...shown }, { additionalProperties: true });
