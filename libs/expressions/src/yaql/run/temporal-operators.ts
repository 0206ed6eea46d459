import { asNumber, asFloat, isFloat, isNumber, type Numeric } from '../../jinja/values/number';
import { DateTime } from '../values/date-time';
import { YaqlFailure } from '../values/failure';
import { floorDiv, TimeSpan } from '../values/time-span';

export const isSpan = (value: unknown): value is TimeSpan => value instanceof TimeSpan;

const moved = (moment: DateTime, micros: bigint) => new DateTime(moment.utcMicros + micros, moment.offsetMicros);

export function plus(a: unknown, b: unknown): unknown {
  if (a instanceof TimeSpan && b instanceof TimeSpan) return new TimeSpan(a.micros + b.micros);
  if (a instanceof DateTime && b instanceof TimeSpan) return moved(a, b.micros);
  return a instanceof TimeSpan && b instanceof DateTime ? moved(b, a.micros) : undefined;
}

export function minus(a: unknown, b: unknown): unknown {
  if (a instanceof TimeSpan && b instanceof TimeSpan) return new TimeSpan(a.micros - b.micros);
  if (a instanceof DateTime && b instanceof TimeSpan) return moved(a, -b.micros);
  return a instanceof DateTime && b instanceof DateTime ? new TimeSpan(a.utcMicros - b.utcMicros) : undefined;
}

export function scaleTimespan(a: unknown, b: unknown): unknown {
  if (a instanceof TimeSpan && isNumber(b)) return scaled(a, b);
  return b instanceof TimeSpan && isNumber(a) ? scaled(b, a) : undefined;
}

export function divided(a: unknown, b: unknown): unknown {
  if (!(a instanceof TimeSpan)) return undefined;
  const zero = isNumber(b) ? asNumber(b) === 0 : b instanceof TimeSpan && b.micros === 0n;
  if (zero) throw new YaqlFailure('ZeroDivisionError', isFloat(b) ? 'float division by zero' : 'division by zero');
  if (b instanceof TimeSpan) return asFloat(Number(a.micros) / Number(b.micros));
  if (!isNumber(b)) return undefined;
  return isFloat(b)
    ? new TimeSpan(wholeMicros(Number(a.micros) / asNumber(b)))
    : new TimeSpan(rounded(a.micros, BigInt(b)));
}

export const negated = (value: unknown): TimeSpan | undefined =>
  value instanceof TimeSpan ? new TimeSpan(-value.micros) : undefined;

const scaled = (span: TimeSpan, factor: Numeric): TimeSpan =>
  isFloat(factor)
    ? new TimeSpan(wholeMicros(Number(span.micros) * asNumber(factor)))
    : new TimeSpan(span.micros * BigInt(factor));

/** Rounds halves to even, as in Python. */
function rounded(a: bigint, b: bigint): bigint {
  const quotient = floorDiv(a, b);
  const twice = 2n * (a - quotient * b);
  const size = b < 0n ? -b : b;
  const distance = twice < 0n ? -twice : twice;
  if (distance < size || (distance === size && quotient % 2n === 0n)) return quotient;
  return quotient + 1n;
}

function wholeMicros(value: number): bigint {
  if (!Number.isFinite(value)) throw new YaqlFailure('OverflowError', 'cannot convert float infinity to integer');
  const whole = Math.round(value);
  return BigInt(Math.abs(value % 1) === 0.5 && whole % 2 !== 0 ? whole - 1 : whole);
}
