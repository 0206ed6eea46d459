import {
  KIB,
  boundedText,
  endOfText,
  isFault,
  keptAsText,
  parseLargeJson,
  slices,
  type DataLimits,
} from '@switchyard/base';

/**
 * Converts output to its form in results: without one final line break, and parsed if it is JSON. Output over a limit stays
 * text, with a note at its end.
 */
export async function outputValue(text: string, isTruncated: boolean, limits: DataLimits): Promise<unknown> {
  const trimmed = without('\r', without('\n', text));
  // Other work goes on between the steps with a long text, each of which takes several milliseconds.
  if (trimmed.length > AT_ONCE) await slices(0).next();
  if (isTruncated || !mayBeJson(trimmed)) return boundedText(trimmed, limits);
  try {
    // Keep the text if a number would lose precision.
    const isExact = (await inexactNumbers(trimmed)).length === 0;
    return isExact ? await parseLargeJson(trimmed, limits) : boundedText(trimmed, limits);
  } catch (error) {
    return isFault(error) ? keptAsText(trimmed, error.message, limits) : boundedText(trimmed, limits);
  }
}

const without = (end: string, text: string): string => (text.endsWith(end) ? text.slice(0, -end.length) : text);

/** Avoids parsing long outputs that are not JSON. */
const mayBeJson = (text: string): boolean => /^\s*(?:[[{"\d-]|true|false|null)/.test(text);

/** Avoids checking each number of most texts. */
const mayBeInexact = (json: string): boolean => /\d{16}|[eE]\+?\d{3}/.test(json);

/** Whether a number would lose precision. */
function isInexact(token: string): boolean {
  const value = Number(token);
  return !Number.isFinite(value) || (/^-?\d+$/.test(token) && !Number.isSafeInteger(value));
}

/** The position of a number in a text. */
export interface NumberPlace {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Texts up to this length are cheap to check. */
const AT_ONCE = 64 * KIB;

/** The numbers of a JSON text that would lose precision, such as ids of twenty digits. */
export async function inexactNumbers(json: string): Promise<NumberPlace[]> {
  if (!mayBeInexact(json)) return [];
  const found: NumberPlace[] = [];
  const turn = slices();
  let pause = AT_ONCE;
  for (let at = 0; at < json.length; at++) {
    if (at > pause) {
      await turn.next();
      pause = at + AT_ONCE;
    }
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at + 1);
    if (code !== MINUS && (code < ZERO || code > NINE)) continue;
    NUMBER.lastIndex = at;
    const token = NUMBER.exec(json)?.[0];
    if (token === undefined) continue;
    if (isInexact(token)) found.push({ start: at, end: at + token.length });
    at += token.length - 1;
  }
  return found;
}

const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
