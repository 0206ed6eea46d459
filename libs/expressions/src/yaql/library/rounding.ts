import { fixed } from '../../jinja/format/number-text';
import { asBigInt, asNumber, float, type Int, int, isFloat, type Numeric } from '../../jinja/values/number';

/** No double has more digits behind its point, and no integer that we keep more before it. */
const MOST_PLACES = 400;

/** Python's `round`: halves go to the even neighbour; a float stays one. */
export function round(value: Numeric, digits: number): Numeric {
  if (!isFloat(value)) return digits >= 0 ? value : roundInteger(value, -digits);
  const number = asNumber(value);
  if (!Number.isFinite(number) || digits > MOST_PLACES) return value;
  if (digits >= 0) return float(Number(fixed(number, digits)));
  if (-digits > MOST_PLACES) return float(0);
  const scale = 10 ** -digits;
  return float(Number(fixed(number / scale, 0)) * scale);
}

function roundInteger(value: Int, zeros: number): Int {
  if (zeros > 5000) return 0;
  const scale = 10n ** BigInt(zeros);
  const whole = asBigInt(value);
  const down = whole - (((whole % scale) + scale) % scale);
  const twice = 2n * (whole - down);
  const even = (down / scale) % 2n === 0n;
  return int(twice < scale || (twice === scale && even) ? down : down + scale);
}
