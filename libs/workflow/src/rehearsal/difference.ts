import { isPlainObject } from '@switchyard/base';
import { sameJson } from '@switchyard/model';

export interface Difference {
  readonly what: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

export const difference = (
  what: string,
  expected: unknown,
  actual: unknown,
  isAsExpected: (expected: unknown, actual: unknown) => boolean = sameJson,
): Difference[] => (isAsExpected(expected, actual) ? [] : [{ what, expected, actual }]);

/** Lists of the same length, in which each item of the expected one is in that of the other: a map may have more keys. */
export function isWithin(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      expected.length === actual.length &&
      expected.every((item, index) => isPart(item, actual[index]))
    );
  }
  if (!isPlainObject(expected) || !isPlainObject(actual)) return sameJson(expected, actual);
  const keys = Object.keys(expected);
  return keys.length === Object.keys(actual).length && keys.every((key) => isWithin(expected[key], actual[key]));
}

const isPart = (expected: unknown, actual: unknown): boolean =>
  isPlainObject(expected) && isPlainObject(actual)
    ? Object.keys(expected).every((key) => sameJson(expected[key], actual[key]))
    : sameJson(expected, actual);
