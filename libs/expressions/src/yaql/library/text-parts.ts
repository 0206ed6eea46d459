import { budget } from '../run/budget';
import { valueError } from '../values/failure';
import { type PlainList, plainList } from '../values/collections';

/** Python's white space as a character class; JavaScript's `\s` differs slightly. */
const BLANK = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';

const LEFT = new RegExp(`^${BLANK}+`);
const BLANK_CHAR = new RegExp(BLANK);

/** Strips the characters of the set from both ends, or white space without a set. */
export const strip = (text: string, set: string | null = null): string => stripRight(stripLeft(text, set), set);

export function stripLeft(text: string, set: string | null = null): string {
  if (set === null) return text.replace(LEFT, '');
  const [chars, wanted] = [[...text], new Set(set)];
  let start = 0;
  while (start < chars.length && wanted.has(chars[start] as string)) start += 1;
  return chars.slice(start).join('');
}

export function stripRight(text: string, set: string | null = null): string {
  if (set === null) {
    let end = text.length;
    while (end > 0 && BLANK_CHAR.test(text.charAt(end - 1))) end -= 1;
    return text.slice(0, end);
  }
  const [chars, wanted] = [[...text], new Set(set)];
  let end = chars.length;
  while (end > 0 && wanted.has(chars[end - 1] as string)) end -= 1;
  return chars.slice(0, end).join('');
}

/** The bounds of a Python slice `[start:stop]` for a given length. */
export function sliceBounds(length: number, start: number, stop: number): readonly [start: number, end: number] {
  const place = (index: number) => Math.min(Math.max(index < 0 ? index + length : index, 0), length);
  return [place(start), place(stop)];
}

const BLANKS = new RegExp(`${BLANK}+`, 'g');

/**
 * Python's `split`: at a separator, or at runs of white space if it is null. After `most` splits the rest stays
 * together.
 */
export function splitYaqlText(text: string, separator: string | null, most: number): PlainList {
  if (separator === null) return plainList(splitAtBlanks(text, most));
  const parts = splitAll(text, separator);
  if (most < 0 || parts.length <= most + 1) return plainList(parts);
  return plainList([...parts.slice(0, most), parts.slice(most).join(separator)]);
}

/** The same, starting from the right. */
export function rightSplitText(text: string, separator: string | null, most: number): PlainList {
  if (separator === null) return plainList(rightSplitAtBlanks(text, most));
  if (separator === '') throw valueError('empty separator');
  const parts: string[] = [];
  let to = text.length;
  while (most < 0 || parts.length < most) {
    const from = to < separator.length ? -1 : text.lastIndexOf(separator, to - separator.length);
    if (from < 0) break;
    budget().element(parts.length + 1);
    parts.push(text.slice(from + separator.length, to));
    to = from;
  }
  return plainList([...parts, text.slice(0, to)].reverse());
}

function splitAll(text: string, separator: string): string[] {
  if (separator === '') throw valueError('empty separator');
  // One more part than allowed is enough to detect the excess.
  const parts = text.split(separator, budget().maxElements + 1);
  budget().collection(parts.length);
  return parts;
}

function splitAtBlanks(text: string, most: number): string[] {
  const rest = stripLeft(text);
  const parts: string[] = [];
  let from = 0;
  for (const { 0: blanks, index } of rest.matchAll(BLANKS)) {
    if (most >= 0 && parts.length >= most) break;
    budget().element(parts.length + 1);
    parts.push(rest.slice(from, index));
    from = index + blanks.length;
  }
  if (from < rest.length) parts.push(rest.slice(from));
  return parts;
}

function rightSplitAtBlanks(text: string, most: number): string[] {
  const rest = stripRight(text);
  const gaps = [...rest.matchAll(BLANKS)];
  budget().collection(gaps.length);
  const parts: string[] = [];
  let to = rest.length;
  for (const { 0: blanks, index } of gaps.reverse()) {
    if (most >= 0 && parts.length >= most) break;
    parts.push(rest.slice(index + blanks.length, to));
    to = index;
  }
  if (to > 0) parts.push(rest.slice(0, to));
  return parts.reverse();
}
