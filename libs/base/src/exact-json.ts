import type { DataLimits } from './data-limits';
import { endOfText } from './bounded-json';
import { parseLargeJson } from './json-in-slices';
import { slices } from './slices';
import { KIB } from './units';

/** The position of a number in a text. */
interface NumberPlace {
  readonly start: number;
  readonly end: number;
}

/** Other work runs between the steps for longer texts. */
export const AT_ONCE_CHARACTERS = 64 * KIB;

/**
 * Like `parseLargeJson`, but numbers that would lose precision, such as ids of twenty digits, become text.
 * @throws Fault `data.limit` or `data.key`; SyntaxError
 */
export async function parseExactJson(json: string, limits: DataLimits): Promise<unknown> {
  const value = await parseLargeJson(json, limits);
  const inexact = await inexactNumbers(json);
  return inexact.length === 0 ? value : parseLargeJson(quoted(json, inexact), limits);
}

/** Puts the numbers of a JSON text that would lose precision in quotes. */
export function quoteInexactNumbers(json: string): string {
  if (!mayBeInexact(json)) return json;
  const scan = new NumberScan(json);
  scan.advance(json.length);
  return quoted(json, scan.found);
}

/** The numbers of a JSON text that would lose precision. */
export async function inexactNumbers(json: string): Promise<readonly NumberPlace[]> {
  if (!mayBeInexact(json)) return [];
  const turn = slices();
  const scan = new NumberScan(json);
  for (let to = AT_ONCE_CHARACTERS; !scan.isThrough; to += AT_ONCE_CHARACTERS) {
    scan.advance(to);
    await turn.next();
  }
  return scan.found;
}

/** Whether a number would lose precision. */
export function isInexactNumber(token: string): boolean {
  const value = Number(token);
  return !Number.isFinite(value) || (/^[+-]?\d+$/.test(token) && !Number.isSafeInteger(value));
}

/** Avoids checking each number of most texts. */
const mayBeInexact = (json: string): boolean => /\d{16}|[eE]\+?\d{3}/.test(json);

function quoted(json: string, places: readonly NumberPlace[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of places) {
    parts.push(json.slice(from, start), `"${json.slice(start, end)}"`);
    from = end;
  }
  return parts.join('') + json.slice(from);
}

const QUOTE = 0x22;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

class NumberScan {
  readonly found: NumberPlace[] = [];
  #at = 0;

  constructor(private readonly json: string) {}

  get isThrough(): boolean {
    return this.#at >= this.json.length;
  }

  /** Scans up to the given position, or beyond it to the end of a string or number. */
  advance(to: number): void {
    const { json } = this;
    const end = Math.min(to, json.length);
    let at = this.#at;
    for (; at < end; at++) {
      const code = json.charCodeAt(at);
      if (code === QUOTE) at = endOfText(json, at + 1);
      if (code !== MINUS && (code < ZERO || code > NINE)) continue;
      NUMBER.lastIndex = at;
      const token = NUMBER.exec(json)?.[0];
      if (token === undefined) continue;
      if (isInexactNumber(token)) this.found.push({ start: at, end: at + token.length });
      at += token.length - 1;
    }
    this.#at = at;
  }
}
