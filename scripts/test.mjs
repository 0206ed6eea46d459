// `npm test [-- arguments]`: prepares the checkout, then runs the tests and passes the arguments to Jest. Without
// a path, all tests run, with the short files of a package grouped (`test-groups.mjs`); `--only=PATTERN` and `--except=PATTERN` filter them.
import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import './prepare.mjs';
import { writeTestGroups } from './test-groups.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [choice, given] = [{}, []];
for (const argument of process.argv.slice(2)) {
  const [, name, pattern] = /^--(only|except)=(.*)$/.exec(argument) ?? [];
  if (name) choice[name] = new RegExp(pattern);
  else given.push(argument);
}
const all = [];
if (given.every((argument) => argument.startsWith('-'))) {
  writeTestGroups(root, `${root}.cache/tests`, choice);
  all.push('--testMatch', '<rootDir>/.cache/tests/*.test.js');
}
// A `python3` of a version manager takes 60 ms of processor time for each start to find the real one.
const { stdout: python } = spawnSync('python3', ['-c', 'import sys; print(sys.executable, end="")'], {
  encoding: 'utf8',
});
if (python) process.env['PATH'] = [dirname(python), process.env['PATH']].join(delimiter);
// Most code of a test runs once: compiling it with the baseline compiler at once, and collecting garbage less often, saves CPU time.
const node = ['--sparkplug', '--max-semi-space-size=32'];
const jest = spawnSync(process.execPath, [...node, `${root}node_modules/jest/bin/jest.js`, ...given, ...all], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(jest.status ?? 1);
