import { spawnSync } from 'node:child_process';

/**
 * Whether a program is on the PATH. If it is not, this says in one line what is not tested.
 * @param leftOut the tests that need it, such as `tests of Python actions`
 * @throws Error in CI, which has to run them
 */
export function isInstalled(program: string, leftOut: string): boolean {
  if (spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status === 0) return true;
  if (process.env['CI'] === 'true') throw new Error(`There is no ${program} on the PATH, and CI runs ${leftOut}.`);
  process.stderr.write(`There is no ${program} on the PATH: ${leftOut} are left out.\n`);
  return false;
}
