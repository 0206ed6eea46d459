import { pythonTypeName } from '../schema/python-repr';
import { guardedRegExp, type GuardedRegExp } from '../schema/regex';
import { NotApplicable, type Operator } from './criterion';
import { compileWildcard } from './wildcard';

/** Builds an operator on two texts; it does not apply to other values. @param compare receives the value first */
export const onTexts =
  (compare: (value: string, pattern: string) => boolean) =>
  (pattern: unknown): Operator =>
  (value) =>
    compare(asText(value), asText(pattern));

/** The same, ignoring case. */
export const ignoringCase = (compare: (value: string, pattern: string) => boolean) =>
  onTexts((value, pattern) => compare(value.toLowerCase(), pattern.toLowerCase()));

/** @param test searches a text for an expression */
export function regexOperator(flags: string, test: (regexp: GuardedRegExp, text: string) => boolean) {
  return (pattern: unknown): Operator => {
    const regexp = guardedRegExp(asText(pattern), flags);
    return (value) => test(regexp, asText(value));
  };
}

export function wildcardOperator(pattern: unknown): Operator {
  const test = compileWildcard(asText(pattern));
  return (value) => test(asText(value));
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new NotApplicable(`expected a string, got ${pythonTypeName(value)}`);
}
