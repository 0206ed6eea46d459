// `node scripts/run.mjs PROGRAM ARGUMENTS…`: prepares the checkout, then runs a compiled program.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import './prepare.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [program, ...rest] = process.argv.slice(2);
const { status } = spawnSync(process.execPath, [root + program, ...rest], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
