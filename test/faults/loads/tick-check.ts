const EVERY_MS = 1000;
/** A tick that is missing or doubled moves all later ones by a whole interval. */
const SHIFT_MS = 0.6 * EVERY_MS;
/** Of a few ticks, at least one is not late by so much. */
const ENOUGH = 4;

/** A trigger instance of a timer. */
export interface FiredTick {
  readonly id: string;
  /** In milliseconds since the epoch. */
  readonly time: number;
}

/** Finds out whether a timer that fires every second has lost or doubled a tick. */
export interface TickCheck {
  /**
   * @param ticks all that it has fired so far
   * @param jumped whether the clock has jumped since the last check. The timer only has to go on then.
   */
  problems(ticks: readonly FiredTick[], jumped: boolean): string[];
}

export function createTickCheck(): TickCheck {
  /**
   * The ids of the ticks that earlier checks have seen. Their times do not tell them apart: a timer that makes up for missed
   * ticks fires several in a millisecond, and after a jump of the clock the same times come again.
   */
  const seen = new Set<string>();
  /** When the tick with the number 0 was due, by the number of later ones and the most punctual of them. */
  let origin: number | undefined;
  return {
    problems(ticks, jumped) {
      const unseen = ticks.filter(({ id }) => !seen.has(id));
      const fresh = unseen.map(({ time }) => time).sort((a, b) => a - b);
      if (fresh.length < ENOUGH) return [`the timer fired ${fresh.length} times since the last fault`];
      const next = Math.min(...fresh.map((time, index) => time - (seen.size + index) * EVERY_MS));
      const shift = next - (origin ?? next);
      if (!jumped && Math.abs(shift) > SHIFT_MS)
        return [
          `${Math.abs(shift / EVERY_MS).toFixed(1)} ticks of the timer were ${shift > 0 ? 'lost' : 'doubled'}: ${timesBeside(fresh)}`,
        ];
      for (const { id } of unseen) seen.add(id);
      // After a jump, the numbers of ticks say nothing about time until the timer has made up for the ticks that it has missed.
      const isPunctual = fresh.at(-1)! - fresh.at(-2)! > SHIFT_MS;
      origin = jumped || (origin === undefined && !isPunctual) ? undefined : next;
      return [];
    },
  };
}

/** The times of ticks, with what they are apart if that is not the interval: `10:00:01.003 (+3000) 10:00:04.003`. */
function timesBeside(times: readonly number[]): string {
  const iso = (time: number) => new Date(time).toISOString().slice(11, -1);
  const gap = (index: number) => (times[index] ?? 0) - (times[index - 1] ?? 0);
  const odd = times.flatMap((_, index) => (index > 0 && Math.abs(gap(index) - EVERY_MS) > SHIFT_MS ? [index] : []));
  const shown = odd.map((index) => `${iso(times[index - 1]!)} (+${gap(index)}) ${iso(times[index]!)}`);
  return `${times.length} since ${iso(times[0]!)}, apart by other than ${EVERY_MS} ms: ${shown.join(', ') || 'none'}`;
}
