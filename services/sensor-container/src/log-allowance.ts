import { MIB, MINUTE_MS, type Clock } from '@switchyard/base';

/** The number of characters that a sensor may write to the log of its container in a minute. All sensors share this
 * log, and disk space is limited. */
const MOST_LINES = 1000;
const MOST_BYTES = MIB;

/** Accepts lines until there are too many. */
export interface LogAllowance {
  /** @param length of the line @returns whether it may be written */
  take(length: number): boolean;
}

/**
 * @param onExceeded called once a minute when lines start to be dropped
 * @param onLeftOut called with the number of dropped lines, before the first line after that minute
 */
export function logAllowance(
  { monotonicMs }: Pick<Clock, 'monotonicMs'>,
  onExceeded: () => void,
  onLeftOut: (lines: number) => void,
): LogAllowance {
  let start = monotonicMs();
  let lines = 0;
  let bytes = 0;
  let leftOut = 0;
  const begin = (now: number) => {
    const before = leftOut;
    [start, lines, bytes, leftOut] = [now, 0, 0, 0];
    if (before > 0) onLeftOut(before);
  };
  return {
    take(length) {
      const now = monotonicMs();
      if (now - start >= MINUTE_MS) begin(now);
      lines += 1;
      bytes += length;
      if (lines <= MOST_LINES && bytes <= MOST_BYTES) return true;
      if (leftOut === 0) onExceeded();
      leftOut += 1;
      return false;
    },
  };
}
