import { createHash } from 'node:crypto';
import type { RunnerType } from '../actions/runner-lookup';

/** Raised whenever the checks, or the records they make, change: files are then looked at again. */
const CHECKS = 1;

/**
 * A fingerprint of everything that a file's record depends on: while it stays, so does the record.
 * @param parts the file's place and text
 */
export const contentHash = (parts: readonly string[], runners: readonly RunnerType[]): string =>
  sha256(JSON.stringify([CHECKS, runnersHash(runners), ...parts]));

const hashes = new WeakMap<readonly RunnerType[], string>();

function runnersHash(runners: readonly RunnerType[]): string {
  const known = hashes.get(runners);
  if (known !== undefined) return known;
  const hash = sha256(JSON.stringify(runners.map(({ name, runner_parameters }) => [name, runner_parameters])));
  hashes.set(runners, hash);
  return hash;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
