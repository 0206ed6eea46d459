/** How long to wait before a further try. */
export interface Backoff {
  readonly initialMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

/** The wait before try `attempt` (the first repetition is 1), with up to a quarter of jitter taken off. */
export function backoffMs(backoff: Backoff, attempt: number, random: () => number = Math.random): number {
  const full = Math.min(backoff.maxMs, backoff.initialMs * backoff.factor ** (attempt - 1));
  return Math.round(full * (1 - random() / 4));
}
