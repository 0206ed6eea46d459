import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fault, isFault, keyedQueue, SECOND_MS } from '@switchyard/base';
import { startProcess } from '@switchyard/subprocess';

/** A copy of a pack at one revision. */
export interface PackWorktree {
  /** The pack inside the copy. */
  readonly packDirectory: string;
  remove(): Promise<void>;
}

export interface PackRevision {
  readonly pack: string;
  readonly packDirectory: string;
  readonly version: string;
  /** Environment variables of git. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Checks out a revision of a pack into a temporary directory. */
export async function createWorktree(revision: PackRevision): Promise<PackWorktree> {
  const { repository, prefix } = await placeOf(revision);
  const commit = await commitOf(revision);
  const root = await inTurn(repository, () => checkOut(revision, commit));
  const remove = () => inTurn(repository, () => removeWorktree(revision, root));
  return { packDirectory: join(root, prefix), remove };
}

/** Serializes operations on a repository: git does not support adding and removing worktrees concurrently. */
const inTurn = keyedQueue();

/** Other processes may use the same repository, so git occasionally fails; a retry then succeeds. */
const TRIES = 5;

async function checkOut(revision: PackRevision, commit: string): Promise<string> {
  for (let tries = TRIES; ; tries--) {
    const root = await mkdtemp(join(tmpdir(), 'svc-git-worktree-'));
    try {
      await addWorktree(revision, root, commit);
      // The system user must be able to read the copy, but only the owner may write to code that is about to run.
      await chmod(root, 0o755);
      return root;
    } catch (thrown) {
      await removeWorktree(revision, root);
      if (tries === 1 || !isFault(thrown) || thrown.code !== 'runner.git-worktree') throw thrown;
    }
  }
}

/** A pack may be a folder of a repository with several packs. */
async function placeOf(revision: PackRevision): Promise<{ repository: string; prefix: string }> {
  const { pack, packDirectory: directory } = revision;
  const answer = await git(revision, ['rev-parse', '--show-toplevel', '--show-prefix']);
  if (!answer.isFine) throw fault('runner.not-a-git-repository', { pack, directory });
  const [repository = directory, prefix = ''] = answer.stdout.split('\n');
  return { repository, prefix };
}

async function commitOf(revision: PackRevision): Promise<string> {
  const { pack, version } = revision;
  const answer = version.startsWith('-')
    ? undefined
    : await git(revision, ['rev-parse', '--verify', '--quiet', `${version}^{commit}`]);
  if (answer?.isFine !== true) throw fault('runner.content-version', { pack, version });
  return answer.stdout;
}

async function addWorktree(revision: PackRevision, root: string, commit: string): Promise<void> {
  const { pack } = revision;
  const answer = await git(revision, ['worktree', 'add', '--detach', root, commit]);
  if (answer.isFine) return;
  if (answer.stderr.includes('is not a git command')) throw fault('runner.git-too-old', { pack });
  throw fault('runner.git-worktree', { pack, reason: answer.stderr });
}

async function removeWorktree(revision: PackRevision, root: string): Promise<void> {
  const removed = await git(revision, ['worktree', 'remove', '--force', root]);
  await rm(root, { recursive: true, force: true });
  if (!removed.isFine) await git(revision, ['worktree', 'prune']);
}

interface GitAnswer {
  readonly isFine: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Packs often belong to a different user than the service, and their hooks must not run. */
const GIT_OPTIONS = ['-c', 'safe.directory=*', '-c', 'core.hooksPath=/dev/null'];

async function git(revision: PackRevision, args: readonly string[]): Promise<GitAnswer> {
  const { exitCode, stdout, stderr, spawnError } = await startProcess({
    command: { file: 'git', args: ['-C', revision.packDirectory, ...GIT_OPTIONS, ...args] },
    env: { ...revision.environment, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
    timeoutMs: 60 * SECOND_MS,
    graceMs: SECOND_MS,
  }).result;
  if (spawnError) throw fault('runner.git-missing', { pack: revision.pack, reason: spawnError.message });
  return { isFine: exitCode === 0, stdout: stdout.text.trim(), stderr: stderr.text.trim() };
}
