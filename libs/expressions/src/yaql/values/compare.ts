import { Float } from '../../jinja/values/number';
import { DateTime } from './date-time';
import { isSubset } from './equals';
import { isSetLike } from './kinds';
import { TimeSpan } from './time-span';

export type Comparison = '<' | '<=' | '>' | '>=';

/**
 * Null is below everything; else numbers, texts (by code point), sets (as subsets), moments and lengths of time compare
 * with their own kind. Undefined where the two cannot be compared.
 */
export function compare(a: unknown, b: unknown, operator: Comparison): boolean | undefined {
  if (a === null || b === null) return compareNull(a === null, b === null, operator);
  if (typeof a === 'number' && typeof b === 'number') return holds(a, b, operator);
  if (typeof a === 'string') return typeof b === 'string' ? compareTexts(a, b, operator) : undefined;
  const [x, y] = [magnitude(a), magnitude(b)];
  if (x !== undefined) return y === undefined ? undefined : holds(x, y, operator);
  if (a instanceof DateTime) return b instanceof DateTime ? holds(a.utcMicros, b.utcMicros, operator) : undefined;
  if (a instanceof TimeSpan) return b instanceof TimeSpan ? holds(a.micros, b.micros, operator) : undefined;
  if (!isSetLike(a) || !isSetLike(b)) return undefined;
  const [inner, outer] = operator.startsWith('<') ? [a, b] : [b, a];
  return (operator.endsWith('=') || inner.size < outer.size) && isSubset(inner, outer);
}

/** JavaScript orders numbers and bigints among each other exactly. */
function holds<T extends number | bigint>(a: T, b: T, operator: Comparison): boolean {
  if (operator === '<') return a < b;
  if (operator === '>') return a > b;
  return operator === '<=' ? a <= b : a >= b;
}

function compareNull(left: boolean, right: boolean, operator: Comparison): boolean {
  if (left && right) return operator.endsWith('=');
  return left ? operator.startsWith('<') : operator.startsWith('>');
}

function magnitude(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof Float ? value.value : undefined;
}

const SURROGATE = /[\ud800-\udfff]/;

function compareTexts(a: string, b: string, operator: Comparison): boolean {
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return holds(a < b ? -1 : a > b ? 1 : 0, 0, operator);
  const [x, y] = [[...a], [...b]];
  for (let index = 0; index < Math.min(x.length, y.length); index += 1) {
    const difference = (x[index]?.codePointAt(0) ?? 0) - (y[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return holds(difference, 0, operator);
  }
  return holds(x.length, y.length, operator);
}
