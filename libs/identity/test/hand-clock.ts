/** A clock that only moves when a test advances it. */
export function handClock(startMs = Date.UTC(2030, 0, 1)) {
  let ms = startMs;
  return {
    nowMicros: () => ms * 1000,
    monotonicMs: () => ms,
    after: () => () => undefined,
    advance: (byMs: number) => void (ms += byMs),
  };
}
