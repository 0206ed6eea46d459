import { Type, type Static } from '@sinclair/typebox';
import { micros, text, texts, whole } from './fields';

/** A running service process as seen by the others. Alive while `beat` keeps increasing. */
export const instanceRecordSchema = Type.Object({
  _id: text,
  service: text,
  host: text,
  pid: whole,
  beat: whole,
  started_at: micros,
  /** Action runners: the number of concurrent executions, and their pools. Sensor containers: those with which they share sensors. */
  slots: Type.Optional(whole),
  pools: Type.Optional(texts),
});
export type InstanceRecord = Static<typeof instanceRecordSchema>;
