import { Type, type Static } from '@sinclair/typebox';
import { micros, text, whole } from './fields';

/** The holder of a leadership. The id is the name of the leadership. */
export const electionRecordSchema = Type.Object({
  _id: text,
  /** Id of an instance; absent if the last holder released it. */
  holder: Type.Optional(text),
  /** Increases with each change of the holder. */
  term: whole,
  /** The start of the term. */
  since: micros,
});
export type ElectionRecord = Static<typeof electionRecordSchema>;
