import { textLength } from '../../jinja/values/sequence';
import { sliceBounds } from '../values/python-text';

/**
 * Python's `find` (or `rfind`) with places counted in characters: where `sub` stands in `text[start:stop]`, or -1.
 * A negative start counts from the end.
 */
export function findText(text: string, sub: string, start: number, stop = Infinity, last = false): number {
  const length = textLength(text);
  const [from, to] = sliceBounds(length, start, stop);
  if (start > length || from > to) return -1;
  const [begin, end] = [unitsBefore(text, length, from), unitsBefore(text, length, to)];
  const part = text.slice(begin, end);
  const found = last ? part.lastIndexOf(sub) : part.indexOf(sub);
  return found < 0 ? -1 : from + textLength(part.slice(0, found));
}

/** The same within `length` characters from the start on; a negative length means up to the end. */
export function findTextWithin(text: string, sub: string, start: number, length: number, last = false): number {
  const all = textLength(text);
  const from = start < 0 ? start + all : start;
  return findText(text, sub, from, from + (length < 0 ? all - from : length), last);
}

/** How many UTF-16 units come before that character. */
function unitsBefore(text: string, length: number, index: number): number {
  if (length === text.length) return index;
  let units = 0;
  for (let at = 0; at < index; at += 1) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}
