import { Type, type Static } from '@sinclair/typebox';
import { described, flag, isoTime, micros, text } from './fields';

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

/** The next times of a timer, as the API shows them. */
export const timerTimesAnswer = Type.Object(
  {
    timer: described(text, 'Reference of the trigger'),
    registered: described(
      flag,
      'Whether a timers service knows the timer. Until then, the times of an interval are an estimate that counts from now.',
    ),
    times: Type.Array(isoTime, { description: 'In order; fewer than asked for if the timer fires no further times' }),
  },
  { title: 'TimerTimes' },
);
export type TimerTimes = Static<typeof timerTimesAnswer>;

/** The times of a timer in the near future. */
export const upcomingTimesAnswer = Type.Object(
  {
    ...timerTimesAnswer.properties,
    times: Type.Array(isoTime, { description: 'In order; the first ones if there are many' }),
    more: described(flag, 'Whether it fires more often than `times` shows'),
    problem: Type.Optional(described(text, 'Why it does not fire, if its parameters are invalid')),
  },
  { title: 'UpcomingTimes' },
);
export type UpcomingTimes = Static<typeof upcomingTimesAnswer>;
