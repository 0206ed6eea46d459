const EVERY_MS = 1000;
/** A tick that is missing or doubled moves all later ones by a whole interval. */
const SHIFT_MS = 0.6 * EVERY_MS;
/** Of a few ticks, at least one is not late by so much. */
const ENOUGH = 4;

/** Finds out whether a timer that fires every second has lost or doubled a tick. */
export interface TickCheck {
  /**
   * @param times when all its ticks fired, in milliseconds since the epoch
   * @param jumped whether the clock has jumped since the last check. The timer only has to go on then.
   */
  problems(times: readonly number[], jumped: boolean): string[];
}

export function createTickCheck(): TickCheck {
  /** The ticks that earlier checks have seen. Their times are in no order if the clock has jumped. */
  const seen = new Set<number>();
  /** How many they were. A timer that makes up for missed ticks fires several in a millisecond. */
  let count = 0;
  /** When the tick with the number 0 was due, by the number of later ones and the most punctual of them. */
  let origin: number | undefined;
  return {
    problems(times, jumped) {
      const fresh = times.filter((time) => !seen.has(time)).sort((a, b) => a - b);
      if (fresh.length < ENOUGH) return [`the timer fired ${fresh.length} times since the last fault`];
      const next = Math.min(...fresh.map((time, index) => time - (count + index) * EVERY_MS));
      const shift = next - (origin ?? next);
      if (!jumped && Math.abs(shift) > SHIFT_MS)
        return [`${Math.abs(shift / EVERY_MS).toFixed(1)} ticks of the timer were ${shift > 0 ? 'lost' : 'doubled'}`];
      for (const time of fresh) seen.add(time);
      count += fresh.length;
      // After a jump, the numbers of ticks say nothing about time until the timer has made up for the ticks that it has missed.
      const isPunctual = fresh.at(-1)! - fresh.at(-2)! > SHIFT_MS;
      origin = jumped || (origin === undefined && !isPunctual) ? undefined : next;
      return [];
    },
  };
}
