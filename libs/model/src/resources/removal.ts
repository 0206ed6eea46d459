import { Type, type Static } from '@sinclair/typebox';
import { described, flag, oneOfTexts, text, texts, whole } from './fields';

/**
 * Executions and workflow runs that are being removed with everything that belongs to them. It is stored first, so that an
 * interrupted removal is completed.
 */
export const removalRecordSchema = Type.Object({
  _id: text,
  executions: texts,
  /** Workflow runs, of these executions or of others. */
  workflows: texts,
  /** Large values of all of them. */
  blobs: texts,
});
export type RemovalRecord = Static<typeof removalRecordSchema>;

/** The kinds of old records that can be removed. */
export const PURGE_KINDS = [
  'executions',
  'workflows',
  'trigger-instances',
  'rule-enforcements',
  'traces',
  'tokens',
] as const;
export type PurgeKind = (typeof PURGE_KINDS)[number];

/** A time, and the ids of records from that time that were kept. */
const POSITION = '^([0-9]{1,16}(,[0-9a-f]{24})*)?$';

export const purgeBody = Type.Object(
  {
    kind: oneOfTexts(PURGE_KINDS),
    before: described(
      text,
      'Records from before this time (ISO 8601) are removed: executions and workflows that began and ended before it',
    ),
    action: Type.Optional(described(text, 'Only executions of this action')),
    incomplete: Type.Optional(described(flag, 'Also executions and workflows that have not ended')),
    after: Type.Optional(Type.String({ pattern: POSITION, description: '`next` of the previous response' })),
  },
  { title: 'PurgeRequest' },
);
export type PurgeRequest = Static<typeof purgeBody>;

/** One step of a purge. */
export const purgeAnswer = Type.Object(
  {
    removed: described(whole, 'How many records this step has removed'),
    next: Type.Optional(described(text, 'Where the next step continues; absent at the end')),
  },
  { title: 'PurgeStep' },
);
export type PurgeStep = Static<typeof purgeAnswer>;
