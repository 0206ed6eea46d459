import { isDeepStrictEqual } from 'node:util';

/** The result of one side: a value, or the text of a refusal. */
export type Answer = { readonly value: unknown } | { readonly refused: string };

/** The result of this implementation. @param isRefusal recognizes errors that count as refusals; any other error is a
 * defect and is rethrown */
export function answerOf(ask: () => unknown, isRefusal: (thrown: unknown) => thrown is Error): Answer {
  try {
    return { value: ask() };
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    return { refused: thrown.message };
  }
}

/** @returns undefined if both results are the same value, or both are refusals, whatever their text */
export function difference(expected: Answer, given: Answer): string | undefined {
  if ('refused' in expected && 'refused' in given) return undefined;
  if ('value' in expected && 'value' in given && isDeepStrictEqual(asJson(expected.value), asJson(given.value))) {
    return undefined;
  }
  return `expected ${textOf(expected)}, got ${textOf(given)}`;
}

const textOf = (answer: Answer): string =>
  'value' in answer ? shown(answer.value) : `a refusal (${answer.refused.slice(0, 200)})`;

const shown = (value: unknown): string => (JSON.stringify(value, plainNumber) ?? String(value)).slice(0, 300);

/** Recorded results went through JSON, which has one number type, no -0, and no object classes. */
const asJson = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value, plainNumber)) as unknown);

const plainNumber = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
