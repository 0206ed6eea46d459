/** Random choices that are the same for the same random numbers. */
export class Chance {
  /** @param random numbers from 0 to below 1 */
  constructor(readonly random: () => number) {}

  /** An integer from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  /** True with a probability of one in the given number. */
  onceIn(times: number): boolean {
    return this.below(times) === 0;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  some<T>(choices: readonly T[], most: number): T[] {
    return [...new Set(Array.from({ length: 1 + this.below(most) }, () => this.of(choices)))];
  }
}
