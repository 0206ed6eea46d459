import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './workspace';

const MINUTES = 60_000;

it(
  'generated files are up to date',
  () => {
    const check = spawnSync(process.execPath, [join(ROOT, 'scripts/generate.mjs'), '--check'], { encoding: 'utf8' });
    expect(check.stdout + check.stderr).not.toMatch(/is stale/);
    expect(check.status).toBe(0);
  },
  3 * MINUTES,
);
