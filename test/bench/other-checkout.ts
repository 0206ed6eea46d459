import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../system/system-process';

/** A compiled checkout of another commit. */
export interface OtherCheckout {
  readonly directory: string;
  /** The commit as displayed. */
  readonly label: string;
}

const CACHE = join(homedir(), '.cache/switchyard/bench');
const BUILT = '.bench-built';
/** The programs that the bench and the test of upgrades start. */
const PROJECTS = ['apps/cli', 'services/all-in-one'];
const LABEL_LENGTH = 7;

/**
 * Checks a commit out, installs its dependencies and compiles it, in a separate folder that is kept for the next run.
 * @throws Error when the repository has no such commit, or when it cannot be built
 */
export function prepareCheckout(commit: string): OtherCheckout {
  const id = commitId(commit);
  const directory = join(CACHE, id);
  const label = id.slice(0, LABEL_LENGTH);
  const stamp = join(directory, BUILT);
  // Native modules are built for one version of Node.js.
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === process.versions.modules) return { directory, label };
  console.log(`Building ${label} in ${directory}, once.`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  run(ROOT, 'git', ['worktree', 'prune']);
  run(ROOT, 'git', ['worktree', 'add', '--detach', directory, id]);
  run(directory, 'npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund']);
  run(directory, process.execPath, ['node_modules/typescript/bin/tsc', '-b', ...PROJECTS]);
  writeFileSync(stamp, process.versions.modules);
  return { directory, label };
}

function commitId(commit: string): string {
  const id = findCommit(commit);
  if (id === undefined) throw new Error(`--against: expected a commit of this repository, got "${commit}"`);
  return id;
}

/** The full id of a commit; undefined if this clone does not have it, such as a shallow one. */
export function findCommit(commit: string): string | undefined {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`];
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

const OUTPUT_BYTES = 64 * 1024 * 1024;

function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES,
  });
  if (status === 0) return;
  const reason = error?.message ?? `${stdout}${stderr}`.trim();
  throw new Error(`"${[command, ...args].join(' ')}" failed in ${cwd}:\n${reason}`);
}
