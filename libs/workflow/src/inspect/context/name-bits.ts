/** Sets of variable names as numbers, so that many of them can be held, merged and compared cheaply. */
export type NameSet = bigint;

export class NameBits {
  private readonly bits = new Map<string, NameSet>();

  of(name: string): NameSet {
    const known = this.bits.get(name);
    if (known !== undefined) return known;
    const bit = 1n << BigInt(this.bits.size);
    this.bits.set(name, bit);
    return bit;
  }

  all(names: readonly string[]): NameSet {
    return names.reduce((set, name) => set | this.of(name), 0n);
  }
}
