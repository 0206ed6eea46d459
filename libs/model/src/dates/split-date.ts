/** Words that may end with a dot or have one inside, numbers with decimals, blanks, and single other characters. */
const TOKEN = /(\p{L}+(?:\.[\p{L}.]*)?|\d+(?:[.,](?:[\d.])*)?)|\s|[^]/gu;

/**
 * Splits a date into words, numbers and separators, as dateutil does: `Sep.20.2009` has five parts, `4:30:21.447` has five, with one
 * number of seconds. Every blank is a single space.
 */
export function splitDate(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const part = nextPart(text, at);
    parts.push(...separated(part));
    at += part.length;
  }
  return parts;
}

function nextPart(text: string, at: number): string {
  TOKEN.lastIndex = at;
  let part = TOKEN.exec(text)?.[0] ?? '';
  if (/^\d,/.test(part)) part = part.slice(0, 1);
  // After a dot, a word may go on with digits and a number with letters.
  for (;;) {
    const end = at + part.length;
    if (!part.endsWith('.') || part === '.' || !/[\p{L}\d]/u.test(text[end] ?? '')) return part;
    TOKEN.lastIndex = end;
    part += TOKEN.exec(text)?.[0] ?? '';
  }
}

function separated(part: string): string[] {
  if (/^\s$/.test(part)) return [' '];
  if (!/^.+[.,]/.test(part)) return [part];
  const isNumber = /^\d+[.,]\d+$/.test(part);
  return isNumber ? [part.replace(',', '.')] : part.split(/([.,])/).filter((each) => each !== '');
}
