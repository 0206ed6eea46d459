// `npm test [-- jest arguments]`: prepares the checkout, then runs the tests.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import './prepare.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const jest = spawnSync(process.execPath, [`${root}node_modules/jest/bin/jest.js`, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(jest.status ?? 1);
