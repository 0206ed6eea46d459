import { Type, type Static } from '@sinclair/typebox';
import { anyObject, described, oneOfTexts, sortable, text, texts, whole } from './fields';

export const packRecordSchema = Type.Object({
  _id: sortable(text),
  ref: sortable(text),
  uid: text,
  name: sortable(described(text, 'Display name')),
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
  /** The fingerprint of its files when all of it was last registered. */
  fingerprint: Type.Optional(text),
});
export type PackRecord = Static<typeof packRecordSchema>;

const { _id, other: _other, fingerprint: _fingerprint, ...shown } = packRecordSchema.properties;
/** A pack as the API shows it, including the unknown attributes of its pack.yaml. */
export const packAnswer = Type.Object({ id: _id, ...shown }, { title: 'Pack', additionalProperties: true });
export type Pack = Static<typeof packAnswer>;

/**
 * The entry of a pack in an index of installable packs: the attributes of its pack.yaml, its repository and what it
 * contains. Indexes are maintained by others, and their entries are returned unchanged.
 */
export const indexedPackAnswer = Type.Object(
  {
    name: Type.Optional(text),
    ref: Type.Optional(text),
    description: Type.Optional(text),
    version: Type.Optional(text),
    author: Type.Optional(text),
    email: Type.Optional(text),
    keywords: Type.Optional(texts),
    contributors: Type.Optional(texts),
    dependencies: Type.Optional(texts),
    python_versions: Type.Optional(texts),
    stackstorm_version: Type.Optional(text),
    repo_url: Type.Optional(described(text, 'Address of its git repository')),
    content: Type.Optional(
      Type.Record(text, Type.Object({ count: Type.Optional(whole), resources: Type.Optional(texts) }), {
        description: 'Its contents, by kind',
      }),
    ),
  },
  { title: 'IndexedPack', additionalProperties: true },
);
export type IndexedPack = Static<typeof indexedPackAnswer>;

/** The outcome of reading one index of packs. */
export const indexStatusAnswer = Type.Object(
  {
    url: described(text, 'Without credentials'),
    packs: described(whole, 'Number of packs'),
    message: text,
    error: Type.Union([oneOfTexts(['malformed', 'unresponsive', 'empty', 'other errors'] as const), Type.Null()]),
  },
  { title: 'IndexStatus' },
);
