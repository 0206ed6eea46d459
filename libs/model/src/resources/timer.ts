import { Type, type Static } from '@sinclair/typebox';
import { micros, text } from './fields';

/** When a timer fires next. Its id is that of the trigger. */
export const timerRecordSchema = Type.Object({
  _id: text,
  /** Reference of the trigger. */
  trigger: text,
  /** Hash of the settings behind the times below; other parameters or another default time zone reset them. */
  fingerprint: text,
  /** The start of an interval's times. */
  anchor: micros,
  /** The next tick; absent if there is none. */
  due_at: Type.Optional(micros),
  /** The previous tick. */
  fired: Type.Optional(micros),
  /** Wall clock at the last write: an earlier clock was set back. */
  written_at: micros,
});
export type TimerRecord = Static<typeof timerRecordSchema>;
