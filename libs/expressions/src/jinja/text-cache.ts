/**
 * What was made of a text, for texts that are used again and again. There are two generations: what is found in the former
 * one moves to the present one, and when that is full, the former one is forgotten as a whole. A map in order of use would be
 * exact, but taking a key out of a `Map` and putting it in again takes longer the larger the map is.
 */
export class TextCache<T> {
  private present = new Map<string, T>();
  private former = new Map<string, T>();

  /** @param longest longer texts are rare and would make the cache large: they are made anew each time */
  constructor(
    private readonly most = 2_000,
    private readonly longest = 16_384,
  ) {}

  /** @throws what `make` throws; nothing is kept then */
  get(text: string, make: (text: string) => T): T {
    const known = this.present.get(text);
    if (known !== undefined) return known;
    const value = this.former.get(text) ?? make(text);
    if (text.length <= this.longest) this.keep(text, value);
    return value;
  }

  private keep(text: string, value: T): void {
    this.present.set(text, value);
    if (this.present.size * 2 < this.most) return;
    this.former = this.present;
    this.present = new Map();
  }
}
