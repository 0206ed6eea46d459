/** What was made of a text, for the most recently used texts. */
export class TextCache<T> {
  private readonly made = new Map<string, T>();

  /** @param longest longer texts are rare and would make the cache large: they are made anew each time */
  constructor(
    private readonly most = 2_000,
    private readonly longest = 16_384,
  ) {}

  get(text: string, make: (text: string) => T): T {
    const found = this.made.get(text) ?? make(text);
    if (text.length <= this.longest) this.remember(text, found);
    return found;
  }

  private remember(text: string, value: T): void {
    this.made.delete(text);
    this.made.set(text, value);
    if (this.made.size <= this.most) return;
    const [oldest] = this.made.keys();
    if (oldest !== undefined) this.made.delete(oldest);
  }
}
