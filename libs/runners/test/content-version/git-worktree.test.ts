import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from '@switchyard/testkit/needed-programs';
import { runTrial, startTrial } from '../runner-fixture';

const root = mkdtempSync(join(tmpdir(), 'runners-test-'));
const repository = join(root, 'packs');
const packDirectory = join(repository, 'one');
const git = (...args: string[]) =>
  execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    encoding: 'utf8',
  });

/** Commits a version of the pack whose script prints `word`. */
function commit(word: string): void {
  writeFileSync(join(packDirectory, 'actions/say.sh'), `#!/bin/sh\necho ${word} $0\n`);
  git('add', '.');
  git('commit', '-q', '-m', word);
}

beforeAll(() => {
  mkdirSync(join(packDirectory, 'actions'), { recursive: true });
  git('init', '-q', '-b', 'main');
  commit('first');
  git('tag', 'v1');
  commit('second');
});
afterAll(() => rmSync(root, { recursive: true }));

const run = (content_version: string, more: Record<string, unknown> = {}, directory = packDirectory) =>
  runTrial({
    runner: 'local-shell-script',
    packDirectory: directory,
    action: { entry_point: 'say.sh' },
    parameters: { content_version, ...more },
  });

const worktrees = () => git('worktree', 'list').trim().split('\n').length - 1;

const describeWithGit = isInstalled('git', 'tests of versions of packs') ? describe : describe.skip;

describeWithGit('content_version', () => {
  it.each([
    ['v1', 'first'],
    ['main', 'second'],
    ['HEAD~1', 'first'],
    ['', 'second'],
  ])('%j runs the script of that revision, and leaves nothing behind', async (version, word) => {
    const { status, result } = await run(version);
    expect({ status, word: String(result['stdout']).split(' ')[0] }).toEqual({ status: 'succeeded', word });
    expect(worktrees()).toBe(0);
  });

  it('rejects a revision whose script links outside the pack, and leaves nothing behind', async () => {
    const script = join(packDirectory, 'actions/say.sh');
    rmSync(script);
    symlinkSync('/bin/true', script);
    git('commit', '-q', '-a', '-m', 'link');
    git('tag', 'linked');
    rmSync(script);
    commit('second');
    const { result } = await run('linked');
    expect(result['error']).toBe('The entry point "say.sh" of the action "default.a" is not in its pack.');
    expect(worktrees()).toBe(0);
  });

  it('keeps the copy in debug mode', async () => {
    const path = String((await run('v1', { debug: true })).result['stdout']).split(' ')[1]!;
    const copy = path.slice(0, path.indexOf('/one/actions'));
    expect(existsSync(path)).toBe(true);
    git('worktree', 'remove', '--force', copy);
  });

  it('works for many concurrent runs', async () => {
    const results = await Promise.all(Array.from({ length: 24 }, () => run('v1')));
    expect(results.filter(({ status }) => status !== 'succeeded')).toEqual([]);
    expect(worktrees()).toBe(0);
  });

  it("does not run the repository's hooks", async () => {
    const hook = join(repository, '.git/hooks/post-checkout');
    writeFileSync(hook, `#!/bin/sh\ntouch ${root}/hooked\n`, { mode: 0o755 });
    expect((await run('v1')).status).toBe('succeeded');
    expect(readdirSync(root)).toEqual(['packs']);
  });

  it('removes the copy when the run is canceled meanwhile', async () => {
    const { handle } = startTrial({
      runner: 'local-shell-script',
      packDirectory,
      action: { entry_point: 'say.sh' },
      parameters: { content_version: 'v1' },
    });
    handle.cancel();
    expect((await handle.result).status).toBe('canceled');
    expect(worktrees()).toBe(0);
  });

  it.each([
    ['v9', 'Invalid content_version "v9" provided.'],
    ['--all', 'Invalid content_version "--all" provided.'],
  ])('%j is rejected', async (version, text) => {
    const { status, result } = await run(version);
    expect(status).toBe('failed');
    expect(result['error']).toContain(`Failed to create git worktree for pack "default": ${text}`);
  });

  it('requires a git repository', async () => {
    const { result } = await run('v1', {}, root);
    expect(result['error']).toContain(
      `Failed to create git worktree for pack "default": Pack directory "${root}" is not a git repository`,
    );
  });

  it.each([
    ['an old git', `echo "git: 'worktree' is not a git command." >&2; exit 1`, 'needs git 2.5.0 or newer'],
    ['a full disk', 'echo "no space" >&2; exit 128', 'no space'],
    ['no git', undefined, 'git could not be started'],
  ])('explains a failure because of %s', async (name, answer, text) => {
    const bin = join(root, name);
    mkdirSync(bin);
    const fake = `#!/bin/sh\ncase "$*" in *worktree*) ${answer};; *) echo x;; esac\n`;
    if (answer !== undefined) writeFileSync(join(bin, 'git'), fake, { mode: 0o755 });
    const trial = {
      runner: 'local-shell-script',
      packDirectory,
      action: { entry_point: 'say.sh' },
      parameters: { content_version: 'v1' },
      settings: { environment: { PATH: bin } },
    };
    expect((await runTrial(trial)).result['error']).toMatch(
      new RegExp(`^Failed to create git worktree for pack "default": .*${text}`),
    );
    rmSync(bin, { recursive: true });
  });
});
