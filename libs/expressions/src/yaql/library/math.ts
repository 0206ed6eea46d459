import * as arithmetic from '../../jinja/values/arithmetic';
import {
  asBigInt,
  asNumber,
  asFloat,
  type Int,
  asInt,
  isFloat,
  isInt,
  isNumber,
  type Numeric,
} from '../../jinja/values/number';
import { memoryExceeded } from '../run/budget';
import { numbers } from '../run/operators';
import { define, type Overload } from '../run/overload';
import { typeError, valueError } from '../values/failure';
import { toFloat, toInteger, round } from './numbers';
import { foldMaximum, foldMinimum } from './query-folds';

export const mathFunctions: readonly Overload[] = [
  define('abs', 'F', 'op:num', (value: Numeric) => (asNumber(value) < 0 ? arithmetic.negate(value) : value)),
  define('int', 'F', 'value:any', toInteger),
  define('float', 'F', 'value:any', toFloat),
  define('random', 'F', '', () => asFloat(Math.random())),
  define('random', 'F', 'from:any, to:any', randomBetween),
  define('bitwiseAnd', 'F', 'left:int, right:int', bitwise((a, b) => a & b)),
  define('bitwiseOr', 'F', 'left:int, right:int', bitwise((a, b) => a | b)),
  define('bitwiseXor', 'F', 'left:int, right:int', bitwise((a, b) => a ^ b)),
  define('bitwiseNot', 'F', 'arg:int', (value: Int) => asInt(~asBigInt(value))),
  define('shiftBitsLeft', 'F', 'value:int, bitsNumber:int', (value: Int, bits: Int) => shifted(value, bits, 1)),
  define('shiftBitsRight', 'F', 'value:int, bitsNumber:int', (value: Int, bits: Int) => shifted(value, bits, -1)),
  define('max', 'F', 'a:any, b:any', foldMaximum),
  define('min', 'F', 'a:any, b:any', foldMinimum),
  define('pow', 'F', 'a:num, b:num, c:num?=null', (a: Numeric, b: Numeric, modulus: Numeric | null) =>
    modulus === null ? numbers(a, b, arithmetic.power) : modularPower(a, b, modulus)),
  define('sign', 'F', 'num:num', (value: Numeric) => Math.sign(asNumber(value)) + 0),
  define('round', 'F', 'number:num, ndigits:count=0', round),
  define('isInteger', 'F', 'value:any', isInt),
  define('isNumber', 'F', 'value:any', isNumber),
]; // oxfmt-ignore

/** Two's complement of unbounded width. */
function bitwise(operation: (a: bigint, b: bigint) => bigint): (a: Int, b: Int) => Int {
  return (a, b) => asInt(operation(asBigInt(a), asBigInt(b)));
}

/** Beyond this, Python would need megabytes for the result. */
const MOST_BITS = 14_300n;

function shifted(value: Int, bits: Int, direction: 1 | -1): Int {
  const count = asBigInt(bits);
  if (count < 0n) throw valueError('negative shift count');
  if (direction < 0) return asInt(count > MOST_BITS ? (value < 0 ? -1n : 0n) : asBigInt(value) >> count);
  if (Number(value) !== 0 && count > MOST_BITS) throw memoryExceeded();
  return asInt(asBigInt(value) << (count > MOST_BITS ? 0n : count));
}

function randomBetween(from: unknown, to: unknown): Int {
  if (!isInt(from) || !isInt(to)) throw valueError('non-integer arg 1 for randrange()');
  const width = asBigInt(to) - asBigInt(from) + 1n;
  if (width <= 0n) throw valueError(`empty range for randrange() (${from}, ${asBigInt(to) + 1n}, ${width})`);
  return asInt(asBigInt(from) + BigInt(Math.floor(Math.random() * Number(width))));
}

function modularPower(a: Numeric, b: Numeric, c: Numeric): Int {
  if (isFloat(a) || isFloat(b) || isFloat(c)) {
    throw typeError('pow() 3rd argument not allowed unless all arguments are integers');
  }
  const modulus = asBigInt(c);
  if (modulus === 0n) throw valueError('pow() 3rd argument cannot be 0');
  const exponent = asBigInt(b);
  const size = modulus < 0n ? -modulus : modulus;
  const base = exponent < 0n ? inverse(asBigInt(a), size) : asBigInt(a);
  let [result, square, left] = [1n % size, remainder(base, size), exponent < 0n ? -exponent : exponent];
  for (; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % size;
    square = (square * square) % size;
  }
  return asInt(modulus < 0n && result !== 0n ? result + modulus : result);
}

const remainder = (a: bigint, size: bigint): bigint => ((a % size) + size) % size;

/** The modular inverse of `a`. */
function inverse(a: bigint, size: bigint): bigint {
  let [x, y, u, v] = [remainder(a, size), size, 1n, 0n];
  while (x > 1n && y !== 0n) {
    const quotient = y / x;
    [x, y, u, v] = [y - quotient * x, x, v - quotient * u, u];
    if (x === 0n) break;
  }
  if (x !== 1n && size !== 1n) throw valueError('base is not invertible for the given modulus');
  return remainder(u, size);
}
