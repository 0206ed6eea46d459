import { isPlainObject, jsonSize } from './json';
import { slices, type Slices } from './slices';

/** The length of the pieces, in characters. Smaller values are written at once. */
const PIECE = 64 * 1024;
/** Deeper values are written at once. Only results stored before there were limits are nested that deep. */
const DEEPEST = 400;

/** Whether writing a value as JSON at once would block the thread for more than a moment. */
export const isLargeJson = (value: unknown): boolean => jsonSize(value, 2 * PIECE) > 2 * PIECE;

/**
 * The pieces of the text that `JSON.stringify` returns. Yields to other work while it writes a large value.
 * @param value anything but `undefined` and functions; it must not change meanwhile
 * @throws the errors of `JSON.stringify`
 */
export async function jsonPieces(value: unknown): Promise<string[]> {
  const writer = new PieceWriter(slices());
  await writer.value(jsonForm(value, ''), []);
  return writer.finish();
}

/** The same text as UTF-8, also encoded in slices: joining many megabytes at once would block the event loop. */
export async function jsonBytes(value: unknown): Promise<Buffer> {
  const turn = slices();
  const pieces = await jsonPieces(value);
  let size = 0;
  for (const piece of pieces) {
    size += Buffer.byteLength(piece);
    await turn.next();
  }
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const piece of pieces) {
    at += bytes.write(piece, at);
    await turn.next();
  }
  return bytes;
}

class PieceWriter {
  readonly #pieces: string[] = [];
  #open = '';

  constructor(private readonly turn: Slices) {}

  finish(): string[] {
    return [...this.#pieces, this.#open];
  }

  /** Calls itself for large members, down to `DEEPEST` levels. */
  async value(value: unknown, within: readonly unknown[]): Promise<void> {
    // For a value that contains itself, JSON.stringify throws.
    const isShort = within.length >= DEEPEST || within.includes(value) || jsonSize(value, PIECE) <= PIECE;
    if (!isShort && typeof value === 'string') await this.#text(value);
    else if (!isShort && Array.isArray(value)) await this.#array(value, [...within, value]);
    else if (!isShort && isPlainObject(value)) await this.#object(value, [...within, value]);
    else await this.#add(JSON.stringify(value));
  }

  async #array(items: readonly unknown[], within: readonly unknown[]): Promise<void> {
    this.#open += '[';
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#open += ',';
      const form = jsonForm(item, String(index));
      const added = this.#member(isAbsent(form) ? null : form, within);
      if (added) await added;
    }
    this.#open += ']';
  }

  async #object(members: Readonly<Record<string, unknown>>, within: readonly unknown[]): Promise<void> {
    let before = '{';
    for (const key of Object.keys(members)) {
      const form = jsonForm(members[key], key);
      if (isAbsent(form)) continue;
      this.#open += `${before}${JSON.stringify(key)}:`;
      before = ',';
      const added = this.#member(form, within);
      if (added) await added;
    }
    this.#open += before === '{' ? '{}' : '}';
  }

  /** @returns undefined if there is nothing to wait for, because a promise for each of many small members would be
   * slow */
  #member(value: unknown, within: readonly unknown[]): Promise<void> | undefined {
    const mayBeLong = typeof value === 'object' || typeof value === 'string';
    const isLong = mayBeLong && jsonSize(value, PIECE) > PIECE;
    return isLong ? this.value(value, within) : this.#add(JSON.stringify(value));
  }

  async #text(text: string): Promise<void> {
    this.#open += '"';
    for (let start = 0; start < text.length;) {
      const end = start + PIECE;
      const part = text.slice(start, isWithinPair(text, end) ? end - 1 : end);
      await this.#add(JSON.stringify(part).slice(1, -1));
      start += part.length;
    }
    this.#open += '"';
  }

  #add(text: string): Promise<void> | undefined {
    this.#open += text;
    if (this.#open.length <= PIECE) return undefined;
    this.#pieces.push(this.#open);
    this.#open = '';
    return this.turn.next();
  }
}

/** The value that `JSON.stringify` would write, after `toJSON` of dates and other objects. */
function jsonForm(value: unknown, key: string): unknown {
  const { toJSON } = Object(value) as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value, key) as unknown) : value;
}

const isAbsent = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol';

/** JSON escapes the halves of a surrogate pair, but not the pair. */
const isWithinPair = (text: string, at: number): boolean =>
  at < text.length && /[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 1, at + 1));
