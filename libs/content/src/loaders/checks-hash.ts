import { createHash } from 'node:crypto';
import type { RunnerSchema } from '../actions/inspect-action';

/** Increase this when the checks or the resulting records change, so that files are checked again. */
const CHECKS = 3;

const hashes = new WeakMap<readonly RunnerSchema[], string>();

/** A hash of what files are checked against. While it stays the same, a file that was accepted still is. */
export function checksHash(runners: readonly RunnerSchema[]): string {
  const known = hashes.get(runners);
  if (known !== undefined) return known;
  const schemas = runners.map(({ name, runner_parameters }) => [name, runner_parameters]);
  const hash = sha256(JSON.stringify([CHECKS, schemas]));
  hashes.set(runners, hash);
  return hash;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
