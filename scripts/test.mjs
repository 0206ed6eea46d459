// `npm test [-- arguments]`: prepares the checkout, then runs the tests and passes the arguments to Jest. Without
// a path, all tests run, with the short files of a package grouped (`test-groups.mjs`); `--side=NAME` runs those of a side (`test-sides.mjs`).
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import './prepare.mjs';
import { testDirectory } from './test-directory.mjs';
import { writeTestGroups } from './test-groups.mjs';
import { testSides } from './test-sides.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const isSide = (argument) => argument.startsWith('--side=');
const given = process.argv.slice(2).filter((argument) => !isSide(argument));
const side = process.argv.slice(2).find(isSide)?.slice('--side='.length);
const choice = side === undefined ? {} : testSides[side];
if (!choice) {
  console.error(`--side: expected ${Object.keys(testSides).join(', ')}, got "${side}"`);
  process.exit(2);
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
const { directory, remove } = testDirectory();
const jest = spawn(process.execPath, [...node, `${root}node_modules/jest/bin/jest.js`, ...given, ...all], {
  cwd: root,
  env: { ...process.env, TMPDIR: directory },
  stdio: 'inherit',
});
// Ctrl-C in a terminal also reaches Jest.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => jest.kill());
const [status] = await once(jest, 'exit');
remove();
process.exit(status ?? 1);
