// `npm test [-- jest arguments]`: prepares the checkout, then runs the tests. Where no paths are given all of them run, the
// short files of a package together (`test-groups.mjs`).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import './prepare.mjs';
import { writeTestGroups } from './test-groups.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2);
const all = [];
if (given.every((argument) => argument.startsWith('-'))) {
  writeTestGroups(root, `${root}.cache/tests`);
  all.push('--testMatch', '<rootDir>/.cache/tests/*.test.js');
}
const jest = spawnSync(process.execPath, [`${root}node_modules/jest/bin/jest.js`, ...given, ...all], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(jest.status ?? 1);
