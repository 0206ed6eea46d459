import { endOfText, KIB, slices } from '@switchyard/base';

/** The position of a number in a text. */
interface NumberPlace {
  readonly start: number;
  readonly end: number;
}

/** Other work runs between the steps for longer texts. */
export const AT_ONCE_CHARACTERS = 64 * KIB;

/** The numbers of a JSON text that would lose precision, such as ids of twenty digits. */
export async function inexactNumbers(json: string): Promise<NumberPlace[]> {
  if (!mayBeInexact(json)) return [];
  const found: NumberPlace[] = [];
  const turn = slices();
  let pause = AT_ONCE_CHARACTERS;
  for (let at = 0; at < json.length; at++) {
    if (at > pause) {
      await turn.next();
      pause = at + AT_ONCE_CHARACTERS;
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

const QUOTE = 0x22;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** Avoids checking each number of most texts. */
const mayBeInexact = (json: string): boolean => /\d{16}|[eE]\+?\d{3}/.test(json);

/** Whether a number would lose precision. */
function isInexact(token: string): boolean {
  const value = Number(token);
  return !Number.isFinite(value) || (/^-?\d+$/.test(token) && !Number.isSafeInteger(value));
}
