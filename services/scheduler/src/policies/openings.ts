import { MS_MICROS, type Clock, type Micros } from '@switchyard/base';

/**
 * The groups of policies that may have room for waiting executions. A superfluous group costs one query; the sweep finds
 * missing ones.
 */
export interface Openings {
  open(key: string): void;
  /** Opens a group at a point in time. */
  openAt(key: string, at: Micros): void;
  /** The groups whose waiting executions of a pool were not checked since they opened. */
  of(pool: string): string[];
  /** No execution of a pool can go on in a group at present. */
  close(pool: string, key: string): void;
  /** Opens what is due, and removes what is closed in all of these pools. */
  turn(pools: readonly string[]): void;
  /** Milliseconds until the next group opens by itself. */
  nextInMs(): number | undefined;
}

export function createOpenings(clock: Pick<Clock, 'nowMicros'>): Openings {
  /** Each group with the pools in which it is closed again. */
  const opened = new Map<string, Set<string>>();
  const later = new Map<string, Micros>();
  const open = (key: string) => void opened.set(key, new Set());
  return {
    open,
    openAt: (key, at) => void later.set(key, at),
    of: (pool) => [...opened].filter(([, closed]) => !closed.has(pool)).map(([key]) => key),
    close: (pool, key) => void opened.get(key)?.add(pool),
    turn(pools) {
      for (const [key, closed] of opened) if (pools.every((pool) => closed.has(pool))) opened.delete(key);
      const now = clock.nowMicros();
      for (const [key, at] of later) {
        if (at > now) continue;
        later.delete(key);
        open(key);
      }
    },
    nextInMs: () =>
      later.size === 0 ? undefined : Math.max(0, (Math.min(...later.values()) - clock.nowMicros()) / MS_MICROS),
  };
}
