import type { Id, Micros } from '@switchyard/base';

/** When a timer fires next. Its id is that of the trigger. */
export interface TimerRecord {
  _id: Id;
  /** Reference of the trigger. */
  trigger: string;
  /** What the times below were made from: other parameters or another default zone begin anew. */
  fingerprint: string;
  /** Where the times of an interval count from. */
  anchor: Micros;
  /** The next tick; absent when there is none. */
  due_at?: Micros;
  /** The tick before. */
  fired?: Micros;
  /** Wall clock at the last write: a clock that is behind it was set back. */
  written_at: Micros;
}
