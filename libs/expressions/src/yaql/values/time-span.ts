import { MINUTE_MS, DAY_MS, HOUR_MS, SECOND_MS } from '@switchyard/base';
import { YaqlFailure } from './failure';
import { type ByContent, CONTENT } from './hash-key';

export const MILLISECOND = 1000n;
export const SECOND = BigInt(SECOND_MS) * MILLISECOND;
export const MINUTE = BigInt(MINUTE_MS) * MILLISECOND;
export const HOUR = BigInt(HOUR_MS) * MILLISECOND;
export const DAY = BigInt(DAY_MS) * MILLISECOND;

const MOST_DAYS = 999_999_999n;

/** A time span in exact microseconds; may be negative. */
export class TimeSpan implements ByContent {
  constructor(readonly micros: bigint) {
    const days = floorDiv(micros, DAY);
    if (days > MOST_DAYS || days < -MOST_DAYS) {
      throw new YaqlFailure('OverflowError', `days=${days}; must have magnitude <= ${MOST_DAYS}`);
    }
  }

  [CONTENT](): string {
    return `t${this.micros}`;
  }

  /** Python's format: `1 day, 12:00:00`, `-1 day, 23:59:59.500000`. */
  toString(): string {
    const days = floorDiv(this.micros, DAY);
    const rest = this.micros - days * DAY;
    const [hours, minutes, seconds] = [rest / HOUR, (rest % HOUR) / MINUTE, (rest % MINUTE) / SECOND];
    const clock = `${hours}:${two(minutes)}:${two(seconds)}${fraction(rest)}`;
    if (days === 0n) return clock;
    return `${days} day${days === 1n || days === -1n ? '' : 's'}, ${clock}`;
  }
}

export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

export const two = (value: bigint | number): string => String(value).padStart(2, '0');

/** The fraction of a second as `.000001`, or an empty text. */
export function fraction(micros: bigint): string {
  const part = micros % SECOND;
  return part === 0n ? '' : `.${String(part).padStart(6, '0')}`;
}
