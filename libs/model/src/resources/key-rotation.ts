import { Type, type Static } from '@sinclair/typebox';
import { described, flag, isoTime, micros, oneOfTexts, text, texts, whole } from './fields';

/**
 * How far a rotation of keys has come. `adding`: every process gets to know the new keys. `switching`: every process begins to use
 * them. `resealing`: stored values are encrypted again. `resealed`: the former keys are still in the key files. `retiring`: a last look for
 * values under the former keys, which are then removed. `retired`: only the new keys are left.
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
  /** Where the walk over the store continues; absent at the end of it. */
  position: Type.Optional(Type.Object({ collection: text, after: Type.Optional(text) })),
  /** Values that this walk has encrypted again. Another walk follows unless there were none. */
  found: whole,
  /** Values that all walks have encrypted again. */
  resealed: whole,
  /** Values of this walk that no key opens, by the key that sealed them. */
  lost: lostValues,
  /** Where the first of them are whose key is there. */
  damaged: Type.Optional(damagedValues),
  /** Whether damaged values do not keep the former keys. */
  abandons: Type.Optional(flag),
  /** Blobs that are being replaced. */
  drafts: Type.Optional(Type.Array(Type.Object({ record: text, former: text, latter: text }))),
  /** Processes that do not have the keys yet. */
  waiting_for: texts,
  /** What keeps it from continuing. */
  problem: Type.Optional(text),
  started_at: micros,
  /** When every process had begun to use the new keys. */
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
    lost: described(lostValues, 'How many values no key opens, by the id of the key that encrypted them'),
    damaged: Type.Optional(
      described(
        damagedValues,
        'The first hundred values that do not open although their key is there, and keep the former keys',
      ),
    ),
    waiting_for: described(texts, 'Processes that do not have the new keys yet'),
    idle: Type.Optional(described(flag, 'True if no garbage collector is running, so nobody carries it out')),
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
      described(flag, 'With retire: remove the former keys although values do not open that were encrypted with them'),
    ),
  },
  { title: 'KeyRotationRequest' },
);
export type KeyRotationRequest = Static<typeof keyRotationBody>;
