import { MS_MICROS, SECOND_MICROS } from './units';

/** Microseconds since the Unix epoch, as an integer. All timestamps in the store have this form. */
export type Micros = number;

/** The source of time. It is passed to all code that needs one, so that tests can control time. */
export interface Clock {
  /**
   * Wall clock time. Within a process, each call returns a larger number than the one before, unless the clock was set
   * back by a second or more.
   */
  nowMicros(): Micros;
  /**
   * Wall clock time for changes that may share one: the same number throughout a turn of the event loop, as long as nothing else asks
   * for a time in between, and larger than all numbers before it.
   * @param by who makes the changes, such as an instance: others never get the same number
   */
  turnMicros(by: string): Micros;
  /** Milliseconds of a clock that never jumps. Only differences are meaningful. */
  monotonicMs(): number;
  /** Calls back once after a delay. The returned function cancels the timer. A timer does not keep the process alive. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Smaller corrections, as of NTP, only make the clock wait. */
const SET_BACK: Micros = SECOND_MICROS;
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export function systemClock(): Clock {
  let last = 0;
  let ofTurn: { readonly by: string; readonly now: Micros } | undefined;
  let isTurnEnding = false;
  const endTurn = () => {
    ofTurn = undefined;
    isTurnEnding = false;
  };
  const nowMicros = () => {
    const now = Math.floor((performance.timeOrigin + performance.now()) * MS_MICROS);
    // Follows corrections of the wall clock, which the high-resolution clock does not see.
    const wall = Date.now() * MS_MICROS;
    const best = Math.abs(now - wall) > 2 * MS_MICROS ? wall : now;
    last = best <= last - SET_BACK ? best : Math.max(best, last + 1);
    ofTurn = undefined;
    return last;
  };
  return {
    nowMicros,
    turnMicros(by) {
      if (!isTurnEnding) setImmediate(endTurn);
      isTurnEnding = true;
      const now = ofTurn?.by === by ? ofTurn.now : nowMicros();
      ofTurn = { by, now };
      return now;
    },
    monotonicMs: () => performance.now(),
    after: (delayMs, callback) => {
      const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), LONGEST_TIMEOUT_MS));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

/** `2024-05-06T07:08:09.123456Z`: always with six digits, always in UTC. */
export function microsToIso(micros: Micros): string {
  const ms = Math.floor(micros / MS_MICROS);
  const rest = String(micros - ms * MS_MICROS).padStart(3, '0');
  return `${new Date(ms).toISOString().slice(0, -1)}${rest}Z`;
}

/** Parses an ISO 8601 time with up to six decimal places. @returns undefined if the text is not such a time */
export function isoToMicros(text: string): Micros | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(Z|[+-]\d{2}:?\d{2}|[+-]\d{2})?$/.exec(
    text,
  );
  if (!match) return undefined;
  const [, date, time, fraction = '', zone = 'Z'] = match;
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.replace(':', '').slice(3) || '00'}`;
  const ms = Date.parse(`${date}T${time}${offset}`);
  return Number.isNaN(ms) ? undefined : ms * MS_MICROS + Number(fraction.padEnd(6, '0'));
}

/** Pauses between attempts, which grow by a factor. */
export interface Backoff {
  readonly initialMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

/** The pause before a retry (1 is the first), minus a random part of up to a quarter. */
export function backoffMs(backoff: Backoff, attempt: number, random: () => number = Math.random): number {
  const full = Math.min(backoff.maxMs, backoff.initialMs * backoff.factor ** (attempt - 1));
  return Math.round(full * (1 - random() / 4));
}
