import { Type, type Static } from '@sinclair/typebox';
import { described, flag, isoTime, micros, oneOfTexts, text, texts, whole } from './fields';

/**
 * The stage of a rotation of keys. `adding`: every process reads the new keys. `switching`: every process starts to use
 * them. `resealing`: stored values are encrypted again. `resealed`: the former keys are still in the key files.
 * `retiring`: a last search for values under the former keys, which are then removed. `retired`: only the new keys are
 * left.
 */
export const ROTATION_STAGES = ['adding', 'switching', 'resealing', 'resealed', 'retiring', 'retired'] as const;
export type RotationStage = (typeof ROTATION_STAGES)[number];

const stage = oneOfTexts(ROTATION_STAGES);
/** Ids of keys by key file. */
const rotatedKeys = Type.Object({ records: Type.Optional(text), datastore: Type.Optional(text) });
const lostValues = Type.Array(Type.Object({ key: text, count: whole }));
const damagedValues = Type.Array(Type.Object({ collection: text, id: text, field: text }));

/** The last rotation of the keys of the store. There is one record. */
export const keyRotationRecordSchema = Type.Object({
  _id: text,
  /** Increases with each write: the compare-and-set of a rotation. */
  revision: whole,
  stage,
  /** The new keys, as soon as they are in the key files. */
  keys: rotatedKeys,
  user: text,
  /** Where the pass over the store continues; absent at its end. */
  position: Type.Optional(Type.Object({ collection: text, after: Type.Optional(text) })),
  /** Values that this pass has encrypted again. Another pass follows unless there were none. */
  found: whole,
  /** Values that all passes have encrypted again. */
  resealed: whole,
  /** Values of this pass that no key can decrypt, by the key that encrypted them. */
  lost: lostValues,
  /** The locations of the first of these values for which the key exists. */
  damaged: Type.Optional(damagedValues),
  /** Whether to remove the former keys in spite of damaged values. */
  abandons: Type.Optional(flag),
  /** Blobs that are being replaced. */
  drafts: Type.Optional(Type.Array(Type.Object({ record: text, former: text, latter: text }))),
  /** Processes that do not have the keys yet. */
  waiting_for: texts,
  /** The problem that keeps it from continuing. */
  problem: Type.Optional(text),
  started_at: micros,
  /** The time by which every process had started to use the new keys. */
  in_use_at: Type.Optional(micros),
  ended_at: Type.Optional(micros),
});
export type KeyRotationRecord = Static<typeof keyRotationRecordSchema>;

/** A rotation as the API shows it. It contains ids of keys, and no keys. */
export const keyRotationAnswer = Type.Object(
  {
    stage,
    keys: described(rotatedKeys, 'Ids of the new keys'),
    collection: Type.Optional(described(text, 'The collection that is being encrypted again')),
    resealed: described(whole, 'How many values were encrypted again'),
    lost: described(lostValues, 'Number of values that no key can decrypt, by the id of the key that encrypted them'),
    damaged: Type.Optional(
      described(
        damagedValues,
        'The first hundred values that cannot be decrypted although their key exists, so that the former keys stay',
      ),
    ),
    waiting_for: described(texts, 'Processes that do not have the new keys yet'),
    idle: Type.Optional(described(flag, 'True if no garbage collector is running, so the rotation does not proceed')),
    problem: Type.Optional(text),
    user: text,
    started_at: isoTime,
    ended_at: Type.Optional(isoTime),
  },
  { title: 'KeyRotation' },
);
export type KeyRotation = Static<typeof keyRotationAnswer>;

export const keyRotationBody = Type.Object(
  {
    retire: Type.Optional(described(flag, 'Remove the former keys, if nothing is encrypted with them')),
    abandon_damaged: Type.Optional(
      described(flag, 'With retire: remove the former keys even if values encrypted with them cannot be decrypted'),
    ),
  },
  { title: 'KeyRotationRequest' },
);
export type KeyRotationRequest = Static<typeof keyRotationBody>;
