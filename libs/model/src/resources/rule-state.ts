import { Type, type Static } from '@sinclair/typebox';
import type { CorrelationState } from '../rules/correlation';
import { date, micros, text, whole } from './fields';

const list = { type: 'array', items: { type: 'object', additionalProperties: true } };

/** The state of the matches of one rule in one group; see `CorrelationState`. */
export const ruleStateRecordSchema = Type.Object({
  _id: text,
  /** Id of the rule. */
  rule: text,
  /** The start of the group's name, for display. */
  group: text,
  /** Increases by one with every write. */
  revision: whole,
  /** When the next of `pending` runs its action. */
  due: Type.Optional(micros),
  expires: date,
  entries: Type.Readonly(Type.Unsafe<CorrelationState['entries']>(list)),
  batches: Type.Readonly(Type.Unsafe<CorrelationState['batches']>(list)),
  pending: Type.Readonly(Type.Unsafe<CorrelationState['pending']>(list)),
  floor: Type.Readonly(micros),
});
export type RuleStateRecord = Static<typeof ruleStateRecordSchema>;
