/** Pseudo-random numbers with a seed (mulberry32). */
export class Chance {
  constructor(private state: number) {}

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  /** True once in `times`, on average. */
  onceIn(times: number): boolean {
    return this.below(times) === 0;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  some<T>(choices: readonly T[], most: number): T[] {
    const picked = new Set<T>();
    for (let left = 1 + this.below(most); left > 0; left -= 1) picked.add(this.of(choices));
    return [...picked];
  }
}
