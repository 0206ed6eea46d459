import { budget } from '../run/budget';
import { valueError } from '../values/failure';
import { type PlainList, plainList } from '../values/plain-list';
import { BLANK, stripLeft, stripRight } from '../values/python-text';

const BLANKS = new RegExp(`${BLANK}+`, 'g');

/** Python's `split`: at a separator, or at runs of white space where it is null; the rest stays together after `most` splits. */
export function splitText(text: string, separator: string | null, most: number): PlainList {
  if (separator === null) return plainList(splitAtBlanks(text, most));
  const parts = splitAll(text, separator);
  if (most < 0 || parts.length <= most + 1) return plainList(parts);
  return plainList([...parts.slice(0, most), parts.slice(most).join(separator)]);
}

/** The same from the right. */
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
  // One more than there may be is enough to see that there are too many.
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
