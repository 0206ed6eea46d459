import { assertWithin, excessFault, type DataLimits } from './data-limits';

/**
 * The value of a text of JSON. The text is looked through first, so that nothing is built that is refused.
 * @throws Fault `data.limit` or `data.key`; SyntaxError
 */
export function parseBoundedJson(text: string, limits: DataLimits): unknown {
  const scan = new JsonScan(text, limits);
  scan.advance(text.length);
  return scan.parse();
}

/** Characters of JSON that mean something to the scan. */
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
 * Counts the depth and the members of a text of JSON without building anything. It need not be valid: `JSON.parse` tells that.
 * The text can be gone through in pieces, so that a large one does not hold up everything else.
 */
export class JsonScan {
  #at = 0;
  #members = 0;
  /** The innermost object or array has nothing in it so far. */
  #isEmpty = false;
  /** Some key or text may be too long; its exact length is known once it is parsed. */
  #isSuspect: boolean;
  /** Where those that are open have begun. */
  readonly #starts: number[] = [];
  /** Where the large ones end, by where they begin. */
  readonly ends = new Map<number, number>();

  /** @param large how long an object or array has to be for its end to be known */
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

  /** Reads on to the given character, or past it to the end of a text. @throws Fault `data.limit` */
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

  /** What only the parsed value tells. @throws Fault `data.limit` or `data.key` */
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

  /** @returns where the text that begins there ends */
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

/** Most texts are short, and are gone through faster than they are searched. */
const SHORT = 32;

/** Where the text ends that begins before `from`: its quote, or the end of everything. */
export function endOfText(text: string, from: number): number {
  let at = from;
  for (const end = from + SHORT; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
    // Beyond the last character.
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

function isKey(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= SPACE) at++;
  return text.charCodeAt(at) === COLON;
}
