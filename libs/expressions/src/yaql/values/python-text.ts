/** Python's white space, as a class of characters; JavaScript's `\s` differs a little. */
export const BLANK = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';

const LEFT = new RegExp(`^${BLANK}+`);
const BLANK_CHAR = new RegExp(BLANK);

/** The text without the characters at its ends that are in the set; without white space where there is none. */
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

/** Start and end of a Python slice `[start:stop]` of something that long. */
export function sliceBounds(length: number, start: number, stop: number): readonly [start: number, end: number] {
  const place = (index: number) => Math.min(Math.max(index < 0 ? index + length : index, 0), length);
  return [place(start), place(stop)];
}
