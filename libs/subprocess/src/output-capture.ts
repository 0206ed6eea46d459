/** The captured output of one stream. `bytes` counts all of it, `text` has its beginning. */
export interface CapturedOutput {
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

/** The last line of a truncated text. */
export const truncationNote = (keptBytes: number, bytes: number): string =>
  `\n[output truncated: ${keptBytes} of ${bytes} bytes kept]`;

/** Keeps the first bytes of a stream and counts the rest, so that memory is limited whatever a child writes. */
export class OutputCapture {
  readonly #limit: number;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#limit = maxBytes;
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const room = this.#limit - this.#keptBytes;
    if (room <= 0) return;
    const part = chunk.length <= room ? chunk : Buffer.from(chunk.subarray(0, room));
    this.#kept.push(part);
    this.#keptBytes += part.length;
  }

  /** The text so far, decoded as UTF-8 with U+FFFD for invalid bytes. A truncated text ends with a complete character. */
  finish(): CapturedOutput {
    const head = Buffer.concat(this.#kept);
    const truncated = this.#bytes > this.#keptBytes;
    if (!truncated) return { text: head.toString('utf8'), bytes: this.#bytes, truncated };
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(head, { stream: true });
    return { text: text + truncationNote(this.#keptBytes, this.#bytes), bytes: this.#bytes, truncated };
  }
}
