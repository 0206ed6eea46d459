/** A map with at most `limit` entries that drops the least recently used one. */
export class BoundedCache<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly limit: number) {}

  /** The value of `key`; calls `make` and caches the result if it is missing. Errors of `make` are thrown and not cached. */
  get(key: K, make: () => V): V {
    const known = this.entries.get(key);
    if (known !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known;
    }
    const made = make();
    this.entries.set(key, made);
    if (this.entries.size > this.limit) this.entries.delete(this.entries.keys().next().value as K);
    return made;
  }

  get size(): number {
    return this.entries.size;
  }
}
