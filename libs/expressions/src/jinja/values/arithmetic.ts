import { JinjaError } from './jinja-error';
import { type Int, type Numeric, asBigInt, asNumber, asFloat, asInt, isInt } from './number';

/** Computes with plain numbers when that is exact, else with bigints. */
function exact(a: Int, b: Int, small: (a: number, b: number) => number, big: (a: bigint, b: bigint) => bigint): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = small(a, b);
    if (Number.isSafeInteger(result)) return result;
  }
  return asInt(big(asBigInt(a), asBigInt(b)));
}

const zeroDivision = (text: string) => new JinjaError('ZeroDivisionError', text);

export function addNumbers(a: Numeric, b: Numeric): Numeric {
  if (isInt(a) && isInt(b)) return exact(a, b, (x, y) => x + y, (x, y) => x + y); // oxfmt-ignore
  return asFloat(asNumber(a) + asNumber(b));
}

export function subtract(a: Numeric, b: Numeric): Numeric {
  if (isInt(a) && isInt(b)) return exact(a, b, (x, y) => x - y, (x, y) => x - y); // oxfmt-ignore
  return asFloat(asNumber(a) - asNumber(b));
}

export function multiply(a: Numeric, b: Numeric): Numeric {
  if (isInt(a) && isInt(b)) return exact(a, b, (x, y) => x * y, (x, y) => x * y); // oxfmt-ignore
  return asFloat(asNumber(a) * asNumber(b));
}

export function divide(a: Numeric, b: Numeric): Numeric {
  if (asNumber(b) === 0) throw zeroDivision(isInt(a) && isInt(b) ? 'division by zero' : 'float division by zero');
  return asFloat(asNumber(a) / asNumber(b));
}

const floorQuotient = (a: bigint, b: bigint) => {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
};

export function floorDivide(a: Numeric, b: Numeric): Numeric {
  if (isInt(a) && isInt(b)) {
    if (asNumber(b) === 0) throw zeroDivision('integer division or modulo by zero');
    return exact(a, b, (x, y) => Math.floor(x / y), floorQuotient);
  }
  if (asNumber(b) === 0) throw zeroDivision('float floor division by zero');
  return asFloat(floatQuotient(asNumber(a), asNumber(b)));
}

/** The quotient that matches the remainder: 1 / 0.1 rounds to 10, although 1 // 0.1 is 9. */
function floatQuotient(a: number, b: number): number {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Math.floor(a / b);
  return Math.round((a - floorRemainder(a, b)) / b);
}

/** The remainder has the sign of the divisor, as in Python. */
export function modulo(a: Numeric, b: Numeric): Numeric {
  if (isInt(a) && isInt(b)) {
    if (asNumber(b) === 0) throw zeroDivision('integer modulo by zero');
    return exact(a, b, floorRemainder, (x, y) => x - floorQuotient(x, y) * y);
  }
  if (asNumber(b) === 0) throw zeroDivision('float modulo');
  return asFloat(floorRemainder(asNumber(a), asNumber(b)));
}

function floorRemainder(a: number, b: number): number {
  const remainder = a % b;
  return remainder !== 0 && remainder < 0 !== b < 0 ? remainder + b : remainder === 0 ? 0 : remainder;
}

export function power(a: Numeric, b: Numeric): Numeric {
  if (!isInt(a) || !isInt(b) || asNumber(b) < 0) return floatPower(asNumber(a), asNumber(b));
  const small = asNumber(a) ** asNumber(b);
  if (Number.isSafeInteger(small)) return small;
  // Checked up front: 9 ** 9 ** 9 must not be computed.
  if (Math.log2(Math.abs(asNumber(a))) * asNumber(b) > 14_300) throw new JinjaError('OverflowError', 'int too large');
  return asInt(asBigInt(a) ** asBigInt(b));
}

function floatPower(a: number, b: number): Numeric {
  if (a === 0 && b < 0) throw zeroDivision('0.0 cannot be raised to a negative power');
  const result = Number.isInteger(b) ? integerPower(a, b) : a ** b;
  if (Number.isFinite(a) && Number.isFinite(b) && !Number.isFinite(result)) {
    if (Number.isNaN(result))
      throw new JinjaError('ValueError', 'a negative number has no real power of that exponent');
    throw new JinjaError('OverflowError', "(34, 'Numerical result out of range')");
  }
  return asFloat(result);
}

/** Beyond, powers of V8 are good enough: they overflow, or the base is close to 1. */
const LARGEST_EXACT_EXPONENT = 2000;

/** Rounds correctly as C libraries do; JavaScript's own powers differ in the last digit, such as that of `10 ** -4`. */
function integerPower(base: number, exponent: number): number {
  const estimate = base ** exponent;
  const isNormal = Math.abs(estimate) > 1e-290 && Number.isFinite(estimate);
  if (!isNormal || Math.abs(exponent) > LARGEST_EXACT_EXPONENT) return estimate;
  let [odd, scale] = [base, 0];
  for (; !Number.isInteger(odd); odd *= 2) scale -= 1;
  const times = BigInt(Math.abs(exponent));
  const [whole, twos] = [BigInt(odd) ** times, 2n ** (BigInt(-scale) * times)];
  return exponent < 0 ? quotient(twos, whole) : quotient(whole, twos);
}

/** Enough bits that rounding them to 53 is right, with the last one for the rest. */
const QUOTIENT_BITS = 120;

/** The double that is nearest to a quotient. */
function quotient(a: bigint, b: bigint): number {
  const shift = QUOTIENT_BITS + b.toString(16).length * 4 - a.toString(16).replace('-', '').length * 4;
  const [numerator, denominator] = shift > 0 ? [a << BigInt(shift), b] : [a, b << BigInt(-shift)];
  const bits = (numerator / denominator) * 2n;
  const exact = numerator % denominator === 0n ? bits : bits + (bits < 0n ? -1n : 1n);
  return (Number(exact) * 2 ** -shift) / 2;
}

export const negate = (value: Numeric): Numeric =>
  isInt(value) ? (typeof value === 'bigint' ? asInt(-value) : 0 - value) : asFloat(-asNumber(value));
