import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface TestedPython {
  /** Such as `3.8`. */
  readonly version: string;
  readonly python: string;
}

/** The versions that Python actions must run on. */
const VERSIONS = ['3.8', '3.9', '3.10', '3.11', '3.12', '3.13'];

/**
 * One interpreter for each available version: from `SVC_TEST_PYTHONS` (paths separated by colons), from pyenv, and on the path.
 * Reports missing versions.
 * @param purpose the start of that report, such as `Python actions are tested`
 */
export function testedPythons(purpose: string): TestedPython[] {
  const given = (process.env['SVC_TEST_PYTHONS'] ?? '').split(':').filter((path) => path !== '');
  const answers = new Map(given.map((path) => [versionOf(path), path]));
  const found = VERSIONS.flatMap((version): TestedPython[] => {
    const python = answers.get(version) ?? installed(version);
    return python === undefined ? [] : [{ version, python }];
  });
  report(purpose, found);
  return found;
}

function report(purpose: string, found: readonly TestedPython[]): void {
  const missing = VERSIONS.filter((version) => found.every((other) => other.version !== version));
  const text = `${purpose} on ${found.map(({ version }) => version).join(', ') || 'nothing'}`;
  process.stderr.write(`${text}${missing.length > 0 ? `; not here: ${missing.join(', ')}` : ''}.\n`);
  if (found.length === 0 && process.env['CI'] === 'true')
    throw new Error('There is no Python of 3.8 to 3.13, and CI has to test with one.');
}

function installed(version: string): string | undefined {
  const managed = managedBy(version);
  // Interpreters installed for these tests must be tested, so a broken one is an error.
  if (managed !== undefined && process.env['CI'] === 'true') return managed;
  return [...(managed === undefined ? [] : [managed]), `python${version}`].find((path) => versionOf(path) === version);
}

/** The newest release of that version in pyenv. */
function managedBy(version: string): string | undefined {
  const folder = join(process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions');
  const patch = (name: string) => Number(name.slice(version.length + 1));
  const names = list(folder).filter((name) => name.startsWith(`${version}.`) && Number.isInteger(patch(name)));
  const newest = names.sort((one, other) => patch(one) - patch(other)).at(-1);
  return newest === undefined ? undefined : join(folder, newest, 'bin/python3');
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** pyenv has shims even for versions that are not installed. */
function versionOf(python: string): string | undefined {
  const program = 'import sys; print("%d.%d" % sys.version_info[:2])';
  const { status, stdout } = spawnSync(python, ['-c', program], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
