import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../system/system-process';

/** The version that produced the recordings. */
const PACKAGE = 'st2client==3.9.0';
/** Installed once per checkout. */
const ENVIRONMENT = join(ROOT, '.cache/st2client-3.9.0');
const INSTALLATION_MS = 180_000;

/** The Python with the reference client, installed from the package index if needed, or the reason why it is unavailable. */
export function referenceClient(): { readonly python: string } | { readonly missing: string } {
  const command = join(ENVIRONMENT, 'bin/st2');
  if (works(command)) return { python: join(ENVIRONMENT, 'bin/python') };
  rmSync(ENVIRONMENT, { recursive: true, force: true });
  const python = pythons().find((each) => succeeds(each, ['-c', 'import venv, ensurepip']));
  if (python === undefined) return { missing: 'there is no Python of 3.8 to 3.12 with venv' };
  const options = ['--quiet', '--disable-pip-version-check', '--retries', '1', '--timeout', '15'];
  const installed =
    succeeds(python, ['-m', 'venv', ENVIRONMENT]) &&
    succeeds(join(ENVIRONMENT, 'bin/python'), ['-m', 'pip', 'install', ...options, PACKAGE]);
  if (installed && works(command)) return { python: join(ENVIRONMENT, 'bin/python') };
  rmSync(ENVIRONMENT, { recursive: true, force: true });
  return { missing: `${PACKAGE} cannot be installed from the package index` };
}

/** The client does not run on Python 3.13 or later. */
const pythons = (): string[] => [
  ...(process.env['SVC_TEST_PYTHONS'] ?? '').split(':').filter((path) => /3\.(8|9|1[0-2])/.test(path)),
  ...['3.10', '3.9', '3.8', '3.11', '3.12', '3'].map((version) => `python${version}`),
];

const succeeds = (program: string, args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore', timeout: INSTALLATION_MS }).status === 0;

const works = (command: string): boolean => succeeds(command, ['--version']);
