import { endOfText, isKey, JsonScan, parseBoundedJson } from './bounded-json';
import type { DataLimits } from './data-limits';
import { messageOf } from './errors/fault';
import { slices, type Slices } from './slices';

/** The number of characters to parse at a time. */
const PIECE = 64 * 1024;
/** Texts up to this length are parsed at once; that takes a few milliseconds at most, whatever they contain. */
const AT_ONE_GO = 2 * PIECE;
const SCANNED_AT_ONE_GO = 4 * PIECE;

/**
 * Like `parseBoundedJson`, but yields to other work while it parses a large text.
 * @throws Fault `data.limit` or `data.key`; SyntaxError
 */
export async function parseLargeJson(text: string, limits: DataLimits): Promise<unknown> {
  if (text.length <= AT_ONE_GO) return parseBoundedJson(text, limits);
  const turn = slices();
  const scan = new JsonScan(text, limits, PIECE);
  for (let to = SCANNED_AT_ONE_GO; !scan.isThrough; to += SCANNED_AT_ONE_GO) {
    scan.advance(to);
    await turn.next();
  }
  const start = text.search(/\S/);
  const end = scan.ends.get(start);
  // One long string or number, or invalid JSON.
  if (end === undefined || text.slice(end + 1).trim() !== '') return scan.parse();
  const value = await new Pieces(text, scan.ends, turn).container(start, end);
  await turn.next();
  return scan.checked(value);
}

type Container = unknown[] | Record<string, unknown>;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LETTER_U = 0x75;
/** In messages of `JSON.parse`; newer versions add the line and the column. */
const POSITION = /at position (\d+)( \(line \d+ column \d+\))?/;

/** Builds a large object or array from pieces that `JSON.parse` reads, so that `JSON.parse` decides what is valid. */
class Pieces {
  constructor(
    private readonly text: string,
    private readonly ends: ReadonlyMap<number, number>,
    private readonly turn: Slices,
  ) {}

  /** Calls itself for large members. The scan has checked that the nesting depth is at most `maxDepth`. */
  async container(start: number, end: number): Promise<Container> {
    const { text } = this;
    const isArray = text.charCodeAt(start) === OPEN_BRACKET;
    // The scan does not distinguish between kinds of brackets.
    if (text.charCodeAt(end) !== (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) unexpected(text[end]);
    const into: Container = isArray ? [] : {};
    // Members from here on are not read yet; the last of them starts at `member`.
    let from = start + 1;
    let member = from;
    let mayBeBlank = true;
    let pause = start + SCANNED_AT_ONE_GO;
    for (let at = from; at < end; at++) {
      if (at > pause) {
        await this.turn.next();
        pause = at + SCANNED_AT_ONE_GO;
      }
      const code = text.charCodeAt(at);
      const isText = code === QUOTE;
      if (isText || code === OPEN_BRACKET || code === OPEN_BRACE) {
        const inner = isText ? endOfText(text, at + 1) : (this.ends.get(at) ?? this.#pastSmall(at));
        if (!(isText ? this.#isLongValue(at, inner) : this.ends.has(at))) {
          at = inner;
          continue;
        }
        if (member > from) await this.#read(into, from, member - 1);
        const key = this.#keyBefore(into, member, at);
        put(into, key, await (isText ? this.#longText(at, inner) : this.container(at, inner)));
        [at, from, mayBeBlank] = this.#afterLarge(inner, end);
        member = from;
      } else if (code === COMMA) {
        if (at - from > PIECE) {
          await this.#read(into, from, at);
          from = at + 1;
        }
        member = at + 1;
        mayBeBlank = false;
      }
    }
    await this.#read(into, from, end, mayBeBlank);
    return into;
  }

  #isLongValue(start: number, end: number): boolean {
    return end - start > AT_ONE_GO && !isKey(this.text, end);
  }

  async #longText(start: number, end: number): Promise<string> {
    const pieces: string[] = [];
    for (let from = start + 1; from < end;) {
      const to = endOfTextPiece(this.text, from, end);
      pieces.push(this.#parse('"', from, to, '"') as string);
      from = to;
      await this.turn.next();
    }
    return pieces.join('');
  }

  /** Parses members that are separated by commas, and adds them. */
  async #read(into: Container, from: number, to: number, mayBeBlank = false): Promise<void> {
    if (!mayBeBlank && this.text.slice(from, to).trim() === '') unexpected(this.text[to]);
    if (Array.isArray(into)) for (const value of this.#parse('[', from, to, ']') as unknown[]) into.push(value);
    else {
      const read = this.#parse('{', from, to, '}') as Record<string, unknown>;
      for (const key of Object.keys(read)) put(into, key, read[key]);
    }
    await this.turn.next();
  }

  /** Parses a part of the text. @throws SyntaxError, with the position in the whole text */
  #parse(before: string, from: number, to: number, after: string): unknown {
    try {
      return JSON.parse(before + this.text.slice(from, to) + after);
    } catch (error) {
      const shift = from - before.length;
      throw new SyntaxError(messageOf(error).replace(POSITION, (_, at: string) => `at position ${Number(at) + shift}`));
    }
  }

  /** Reads the part before a large value: nothing in an array, a key and a colon in an object. */
  #keyBefore(into: Container, from: number, to: number): string {
    const before = this.text.slice(from, to);
    if (Array.isArray(into)) return before.trim() === '' ? '' : unexpected(before.trim()[0]);
    const [key] = Object.keys(this.#parse('{', from, to, '0}') as object);
    return key ?? unexpected(this.text[to]);
  }

  /** @returns where to continue, where the next member starts, and whether there may be none */
  #afterLarge(inner: number, end: number): [at: number, from: number, mayBeBlank: boolean] {
    let at = inner + 1;
    while (isSpace(this.text.charCodeAt(at))) at++;
    if (at === end) return [end, end, true];
    if (this.text.charCodeAt(at) !== COMMA) unexpected(this.text[at]);
    return [at, at + 1, false];
  }

  /** @returns the end of the small object or array that starts here */
  #pastSmall(start: number): number {
    let depth = 0;
    for (let at = start; ; at++) {
      const code = this.text.charCodeAt(at);
      if (code === QUOTE) at = endOfText(this.text, at + 1);
      else if (code === OPEN_BRACKET || code === OPEN_BRACE) depth++;
      else if ((code === CLOSE_BRACKET || code === CLOSE_BRACE) && --depth === 0) return at;
    }
  }
}

function put(into: Container, key: string, value: unknown): void {
  if (Array.isArray(into)) into.push(value);
  else if (key !== '__proto__') into[key] = value;
  else Object.defineProperty(into, key, { value, enumerable: true, writable: true, configurable: true });
}

/** @returns where to cut the text of a string that continues at `from`: not within an escape sequence */
function endOfTextPiece(text: string, from: number, end: number): number {
  const piece = text.slice(from, Math.min(from + PIECE, end));
  let at = 0;
  for (;;) {
    const escape = piece.indexOf('\\', at);
    if (escape < 0) return Math.min(from + Math.max(at, piece.length), end);
    at = escape + (text.charCodeAt(from + escape + 1) === LETTER_U ? 6 : 2);
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function unexpected(character: string | undefined): never {
  throw new SyntaxError(`Unexpected token '${character ?? ''}' in JSON`);
}
