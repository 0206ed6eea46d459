/**
 * How many requests may be handed out the moment they come in, without a look at the backlog: while nothing else waits,
 * their order cannot be wrong. It is known after each look, and only shrinks until the next.
 */
export interface Room {
  /** @returns whether there was room for one more in a pool; it is used up then */
  take(pool: string): boolean;
  /** Notes a look at the backlog: what it left free, or that somebody still waits there. */
  found(pool: string, free: number): void;
  /** Nothing is handed out past the backlog until the next look. */
  close(pool: string): void;
}

/** Other schedulers have seen the same free slots, so one takes a part of them only. */
const SHARE = 4;

export function createRoom(): Room {
  const left = new Map<string, number>();
  return {
    take(pool) {
      const count = left.get(pool) ?? 0;
      if (count > 0) left.set(pool, count - 1);
      return count > 0;
    },
    found: (pool, free) => void left.set(pool, Math.max(0, Math.floor(free / SHARE))),
    close: (pool) => void left.delete(pool),
  };
}
