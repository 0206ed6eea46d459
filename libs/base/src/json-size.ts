const DATE_BYTES = 26;

/**
 * About how many bytes a value takes as JSON: right for texts and structure, an estimate for numbers and for what has to be
 * escaped. Not recursive, so that no value is too deep for it.
 * @param enough stop here: what is larger need not be known exactly
 */
export function jsonSize(value: unknown, enough = Number.POSITIVE_INFINITY): number {
  const waiting: unknown[] = [value];
  let bytes = 0;
  while (waiting.length > 0 && bytes <= enough) {
    const current = waiting.pop();
    if (typeof current === 'string') bytes += textSize(current);
    else if (typeof current !== 'object' || current === null) bytes += String(current).length;
    else if (current instanceof Date) bytes += DATE_BYTES;
    else if (ArrayBuffer.isView(current)) bytes += current.byteLength;
    else if (Array.isArray(current)) {
      bytes += 2 + current.length;
      for (const item of current) waiting.push(item);
    } else {
      bytes += 2;
      for (const key of Object.keys(current)) {
        bytes += textSize(key) + 2;
        waiting.push((current as Record<string, unknown>)[key]);
      }
    }
  }
  return bytes;
}

const QUOTES = 2;
const textSize = (text: string): number => Buffer.byteLength(text) + QUOTES;
