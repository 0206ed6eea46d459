import { randomFrom } from '../faults/random';
import type { FuzzTarget } from './fuzz-target';
import { mutate } from './mutate';

/** The input with a number. It is the same for the same seed and independent of earlier inputs. */
export function inputOf({ seeds, tokens }: FuzzTarget, seed: number, index: number): string {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  if (seeds.length === 0 || random() < 0.08) return randomBytes(random);
  let text = seeds[Math.floor(random() * seeds.length)] as string;
  const changes = 1 + Math.floor(random() ** 3 * 5);
  for (let change = 0; change < changes; change += 1) text = mutate(text, { seeds, tokens, random });
  return text.slice(0, LONGEST);
}

/** Longer inputs only take more time. */
const LONGEST = 20_000;

function randomBytes(random: () => number): string {
  const bytes = Buffer.from(Array.from({ length: Math.floor(random() * 80) }, () => Math.floor(random() * 256)));
  return bytes.toString(random() < 0.5 ? 'latin1' : 'utf8');
}
