/** A map that forgets its least recently used entry once it holds `limit` of them. */
export class BoundedCache<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly limit: number) {}

  /** The value of `key`; made, and kept, when it is not there. An error of `make` is thrown and nothing is kept. */
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
