/**
 * Caches a result per text. There are two generations: an entry found in the old one moves to the new one, and when the
 * new one is full, the old one is dropped. An exact LRU map would be slower, because deleting and re-inserting a key in
 * a `Map` takes longer the larger the map is.
 */
export class TextCache<T> {
  private present = new Map<string, T>();
  private former = new Map<string, T>();

  /** @param longest longer texts are rare and would bloat the cache, so they are not cached */
  constructor(
    private readonly most = 2_000,
    private readonly longest = 16_384,
  ) {}

  /** @throws what `make` throws; failures are not cached */
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
