import { randomFrom } from '../../faults/random';

/** Random choices from a seed. */
export interface Random {
  (): number;
}

/** The choices for the request with a number: the same for the same seed, independent of earlier requests. */
export const randomOf = (seed: number, index: number): Random =>
  randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));

export const pick = <T>(from: readonly T[], random: Random): T => from[Math.floor(random() * from.length)] as T;

export const below = (limit: number, random: Random): number => Math.floor(random() * limit);

/** Mostly small, rarely close to the maximum. */
export const skewed = (most: number, random: Random): number => 1 + Math.floor(random() ** 6 * most);
