import { createFailureExplainer } from '../../src/virtualenvs/explain-failure';

const NOTHING = 'ERROR: No matching distribution found for leftpad==9';
const GIT_FAILED = 'error: subprocess-exited-with-error';
const WHEEL = 'ERROR: Failed building wheel for python-ldap';

describe('the reason for a failed installation', () => {
  it.each<[reason: string, lines: string[]]>([
    ['the package index has no package for leftpad==9', [unsatisfied('none'), NOTHING]],
    ['the package index has no version for leftpad==9; it has 1.0, 1.1', [unsatisfied('1.0, 1.1'), NOTHING]],
    [
      'the package index cannot be reached',
      [
        "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('",
        unsatisfied('none'),
        NOTHING,
      ],
    ],
    [
      'a package cannot be built because the header file lber.h is missing: install the development package that contains it',
      ['  Modules/common.h:15:10: fatal error: lber.h: No such file or directory', WHEEL],
    ],
    [
      'a package cannot be built because Python.h is missing: install the headers of Python (python3-dev)',
      ['  src/x.c:1:10: fatal error: Python.h: No such file or directory', WHEEL],
    ],
    [
      'a package cannot be built because the compiler gcc is missing',
      ["  error: command 'gcc' failed: No such file or directory", WHEEL],
    ],
    [
      'the program pg_config is missing',
      ['  Error: pg_config executable not found.', '  error: subprocess-exited-with-error'],
    ],
    ['the program git is missing', ["ERROR: Cannot find command 'git' - do you have 'git' installed?"]],
    ['python-ldap cannot be built', ['  error: subprocess-exited-with-error', WHEEL]],
    [
      'the requirements contradict each other: a and b==2',
      ['ERROR: Cannot install a and b==2 because these package versions have conflicting dependencies.'],
    ],
    [
      'boto does not support Python 3.12.1: it requires <3.10',
      ["ERROR: Package 'boto' requires a different Python: 3.12.1 not in '<3.10'"],
    ],
    [
      'a package that must be built does not support this version of Python, which is too new for it',
      ["  ModuleNotFoundError: No module named 'distutils'", '  error: subprocess-exited-with-error'],
    ],
    [
      'the disk is full',
      [WHEEL, 'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device'],
    ],
    ['"=>1" is not a valid requirement', ["ERROR: Invalid requirement: '=>1'"]],
    [
      "the repository https://git.example.org/leftpad.git cannot be reached: Couldn't connect to server",
      ["  fatal: unable to access 'https://git.example.org/leftpad.git/': Couldn't connect to server", GIT_FAILED],
    ],
    [
      'a repository on https://git.example.org does not exist, or needs a login',
      ["  fatal: could not read Username for 'https://git.example.org': terminal prompts disabled", GIT_FAILED],
    ],
    [
      'there is no git repository https://git.example.org/leftpad.git',
      ["  fatal: repository 'https://git.example.org/leftpad.git/' not found", GIT_FAILED],
    ],
    [
      'there is no git repository /srv/leftpad.git',
      ["  fatal: '/srv/leftpad.git' does not appear to be a git repository", GIT_FAILED],
    ],
    [
      'the repository has no branch, tag or commit "v9"',
      ["  error: pathspec 'v9' did not match any file(s) known to git", GIT_FAILED],
    ],
    [
      'the repository has no branch, tag or commit "v9"',
      ["         fatal: couldn't find remote ref refs/tags/v9", 'error: Git operation failed'],
    ],
    [
      'the package index has no package for leftpad',
      ['  ╰─▶ Because leftpad was not found in the package registry and'],
    ],
  ])('%s', (reason, lines) => {
    const explainer = createFailureExplainer();
    for (const line of ['Collecting leftpad==9', ...lines]) explainer.add(line);
    expect(explainer.reason).toBe(reason);
  });

  it('is unknown if the output does not contain it', () => {
    const explainer = createFailureExplainer();
    explainer.add('Segmentation fault');
    expect(explainer.reason).toBeUndefined();
  });
});

function unsatisfied(versions: string): string {
  return `ERROR: Could not find a version that satisfies the requirement leftpad==9 (from versions: ${versions})`;
}
