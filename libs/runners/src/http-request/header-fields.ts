/** Header fields: found in any case, sent in the case they were given in. */
export class HeaderFields {
  readonly #fields = new Map<string, readonly [name: string, value: string]>();

  constructor(fields: Iterable<readonly [string, string]> = []) {
    for (const [name, value] of fields) this.set(name, value);
  }

  get(name: string): string | undefined {
    return this.#fields.get(name.toLowerCase())?.[1];
  }

  has(name: string): boolean {
    return this.#fields.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#fields.set(name.toLowerCase(), [name, value]);
  }

  /** A field that comes several times is one with a list, as RFC 9110 (5.3) has it. */
  append(name: string, value: string): void {
    const known = this.#fields.get(name.toLowerCase());
    this.#fields.set(name.toLowerCase(), known ? [known[0], `${known[1]}, ${value}`] : [name, value]);
  }

  without(names: Iterable<string>): HeaderFields {
    const copy = new HeaderFields(this);
    for (const name of names) copy.#fields.delete(name.toLowerCase());
    return copy;
  }

  [Symbol.iterator](): Iterator<readonly [string, string]> {
    return this.#fields.values();
  }
}
