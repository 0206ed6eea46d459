import { assertWithin, excessFault, type DataLimits } from './data-limits';

/**
 * Parses JSON text. The text is scanned first, so that no memory is used for values that exceed the limits.
 * @throws Fault `data.limit` or `data.key`; SyntaxError
 */
export function parseBoundedJson(text: string, limits: DataLimits): unknown {
  const scan = new JsonScan(text, limits);
  scan.advance(text.length);
  return scan.parse();
}

/** The characters of JSON that the scan looks for. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/**
 * Counts the depth and the members of JSON text without building values. It does not check whether the text is valid; `JSON.parse`
 * does. A large text can be scanned in pieces, so that it does not block the thread.
 */
export class JsonScan {
  #at = 0;
  #members = 0;
  /** Whether the innermost open object or array has no members so far. */
  #isEmpty = false;
  /** Whether a key or string may be too long. Its exact length is known after parsing. */
  #isSuspect: boolean;
  /** Positions at which the open objects and arrays start. */
  readonly #starts: number[] = [];
  /** End positions of the large objects and arrays, by their start positions. */
  readonly ends = new Map<number, number>();

  /** @param large minimum length of the objects and arrays whose ends are recorded */
  constructor(
    private readonly text: string,
    private readonly limits: DataLimits,
    private readonly large = Number.POSITIVE_INFINITY,
  ) {
    this.#isSuspect = text.includes('\\u0000');
  }

  get isThrough(): boolean {
    return this.#at >= this.text.length;
  }

  /** Scans up to the given position, or beyond it to the end of a string. @throws Fault `data.limit` */
  advance(to: number): void {
    const { text } = this;
    const end = Math.min(to, text.length);
    let at = this.#at;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code <= SPACE) continue;
      if (code === COMMA) this.#count(at);
      else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) this.#close(at);
      else {
        if (this.#isEmpty) this.#first(at);
        if (code === QUOTE) at = this.#skipText(at);
        else if (code === OPEN_BRACKET || code === OPEN_BRACE) this.#open(at);
      }
    }
    this.#at = at;
  }

  /** @throws Fault `data.limit` or `data.key`; SyntaxError */
  parse(): unknown {
    return this.checked(JSON.parse(this.text));
  }

  /** Checks what only the parsed value shows. @throws Fault `data.limit` or `data.key` */
  checked(value: unknown): unknown {
    if (this.#isSuspect) assertWithin(value, this.limits);
    return value;
  }

  #open(at: number): void {
    if (this.#starts.length >= this.limits.maxDepth) throw this.#excess('maxDepth', at);
    this.#starts.push(at);
    this.#isEmpty = true;
  }

  #close(at: number): void {
    const start = this.#starts.pop();
    if (start !== undefined && at - start > this.large) this.ends.set(start, at);
    this.#isEmpty = false;
  }

  #first(at: number): void {
    this.#isEmpty = false;
    this.#count(at);
  }

  #count(at: number): void {
    if (++this.#members > this.limits.maxMembers) throw this.#excess('maxMembers', at);
  }

  /** @returns the end of the string that starts here */
  #skipText(start: number): number {
    const { text, limits } = this;
    const end = endOfText(text, start + 1);
    const longest = (end - start - 1) * 3;
    if (longest > limits.maxStringLength || (longest > limits.maxKeyLength && isKey(text, end))) this.#isSuspect = true;
    return end;
  }

  #excess(limit: keyof DataLimits, at: number) {
    return excessFault({ limit, allowed: this.limits[limit], path: `character ${at}` });
  }
}

/** Most strings are short, and a loop over their characters is faster than a search. */
const SHORT = 32;

/** The end of the string that starts before `from`: its closing quote, or the end of the input. */
export function endOfText(text: string, from: number): number {
  let at = from;
  for (const end = from + SHORT; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
    // The position after the last character.
    else if (Number.isNaN(code)) return text.length;
  }
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let first = quote;
    while (first > at && text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((quote - first) % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** Whether the text that ends here is a key. */
export function isKey(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= SPACE) at++;
  return text.charCodeAt(at) === COLON;
}
