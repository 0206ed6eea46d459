import { MS_MICROS } from './units';

/** Microseconds since the Unix epoch, UTC, as an integer: the form of every time stamp in the store. */
export type Micros = number;

/** Time as it is handed to whoever needs it, so that tests decide how it passes. */
export interface Clock {
  /** Wall clock. Two calls never answer the same or a smaller number within one process. */
  nowMicros(): Micros;
  /** Milliseconds of a clock that never jumps; only differences have a meaning. */
  monotonicMs(): number;
  /** Calls back once after a delay; the returned function takes it back. The timer keeps no process alive. */
  after(delayMs: number, callback: () => void): () => void;
}

const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export function systemClock(): Clock {
  let last = 0;
  return {
    nowMicros: () => {
      const now = Math.floor((performance.timeOrigin + performance.now()) * MS_MICROS);
      // Follows wall clock corrections that the high resolution clock does not see.
      const wall = Date.now() * MS_MICROS;
      const best = Math.abs(now - wall) > 2 * MS_MICROS ? wall : now;
      last = Math.max(best, last + 1);
      return last;
    },
    monotonicMs: () => performance.now(),
    after: (delayMs, callback) => {
      const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), LONGEST_TIMEOUT_MS));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

/** `2024-05-06T07:08:09.123456Z`: always six digits, always UTC. */
export function microsToIso(micros: Micros): string {
  const ms = Math.floor(micros / MS_MICROS);
  const rest = String(micros - ms * MS_MICROS).padStart(3, '0');
  return new Date(ms).toISOString().replace('Z', `${rest}Z`);
}

/** Reads an ISO 8601 time with up to six digits of a second. @returns undefined when it is no such text */
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
