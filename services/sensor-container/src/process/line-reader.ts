const NEWLINE = 0x0a;

/** Splits chunks into whole lines. A line that is longer than the limit is dropped, and `onTooLong` is called once. */
export class SensorLineReader {
  #parts: Buffer[] = [];
  #bytes = 0;
  #skipping = false;

  constructor(
    private readonly maxBytes: number,
    private readonly onLine: (line: string) => void,
    private readonly onTooLong: () => void,
  ) {}

  add(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** Text after the last line break counts as a line. */
  end(): void {
    if (this.#bytes > 0) this.#finish();
  }

  #keep(part: Buffer): void {
    if (this.#skipping || part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes <= this.maxBytes) {
      this.#parts.push(part);
      return;
    }
    this.#skipping = true;
    this.#parts = [];
    this.onTooLong();
  }

  #finish(): void {
    const line = this.#skipping ? undefined : Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#bytes = 0;
    this.#skipping = false;
    if (line !== undefined) this.onLine(line);
  }
}
