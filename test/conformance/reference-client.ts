import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../system/system-process';

/** The version that produced the recordings. */
const PACKAGE = 'st2client==3.9.0';
/** Installed once per checkout. */
const ENVIRONMENT = join(ROOT, '.cache/st2client-3.9.0');
const INSTALLATION_MS = 180_000;

/** The Python with the reference client and the script that starts it, or the reason why they are unavailable. */
type ReferenceClient = { readonly python: string; readonly script: string } | { readonly missing: string };

/**
 * Installs the reference client from the package index if it is missing or does not work. Each process installs into a folder of
 * its own, which it then renames, because several test files may do this at the same time.
 */
export function referenceClient(): ReferenceClient {
  const found = clientIn(ENVIRONMENT);
  if (works(found)) return found;
  const python = pythons().find((each) => succeeds(each, ['-c', 'import venv, ensurepip']));
  if (python === undefined) return { missing: 'there is no Python of 3.8 to 3.12 with venv' };
  mkdirSync(dirname(ENVIRONMENT), { recursive: true });
  const own = mkdtempSync(`${ENVIRONMENT}-`);
  try {
    rmSync(ENVIRONMENT, { recursive: true, force: true, maxRetries: 5 });
    if (!install(python, own)) return { missing: `${PACKAGE} cannot be installed from the package index` };
    putInPlace(own);
    return found;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function install(python: string, folder: string): boolean {
  const options = ['--quiet', '--disable-pip-version-check', '--retries', '1', '--timeout', '15'];
  const client = clientIn(folder);
  return (
    succeeds(python, ['-m', 'venv', folder]) &&
    succeeds(client.python, ['-m', 'pip', 'install', ...options, PACKAGE]) &&
    works(client)
  );
}

/** Another process may have been first: what is in place is complete, because renaming is atomic. */
function putInPlace(folder: string): void {
  try {
    renameSync(folder, ENVIRONMENT);
  } catch (error) {
    if (!existsSync(ENVIRONMENT)) throw error;
  }
}

/** The client does not run on Python 3.13 or later. */
const pythons = (): string[] => [
  ...(process.env['SVC_TEST_PYTHONS'] ?? '').split(':').filter((path) => /3\.(8|9|1[0-2])/.test(path)),
  ...['3.10', '3.9', '3.8', '3.11', '3.12', '3'].map((version) => `python${version}`),
];

const succeeds = (program: string, args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore', timeout: INSTALLATION_MS }).status === 0;

/** The first line of the script names the folder in which it was installed, so the interpreter is named as well. */
const clientIn = (folder: string) => ({ python: join(folder, 'bin/python'), script: join(folder, 'bin/st2') });

const works = ({ python, script }: ReturnType<typeof clientIn>): boolean => succeeds(python, [script, '--version']);
