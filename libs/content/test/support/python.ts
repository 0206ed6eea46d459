import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

const found = spawnSync('python3', ['-c', 'import venv, ensurepip'], { encoding: 'utf8' }).status === 0;

if (!found) {
  if (process.env['CI'] === 'true') throw new Error('There is no python3 with venv on the PATH, and CI requires it.');
  process.stderr.write('There is no python3 with venv on the PATH: skipping tests of virtual environments.\n');
}

/** `describe`, skipped without a Python that can create virtual environments. */
export const describePython: jest.Describe = found ? describe : describe.skip;

const WHEEL = `
import sys, zipfile
path, name, version, source, *requires = sys.argv[1:]
info = "%s-%s.dist-info/" % (name, version)
with zipfile.ZipFile(path, "w") as wheel:
    wheel.writestr(name + ".py", source)
    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: %s\\nVersion: %s\\n" % (name, version) + "".join("Requires-Dist: %s\\n" % one for one in requires))
    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(info + "RECORD", "")
`;

/** Writes an installable package with one module. @returns the name of the file */
export async function writeWheel(
  directory: string,
  name: string,
  version: string,
  source: string,
  requires: readonly string[] = [],
): Promise<string> {
  const file = `${name}-${version}-py3-none-any.whl`;
  await mkdir(dirname(`${directory}/${file}`), { recursive: true });
  const args = [`${directory}/${file}`, name, version, source, ...requires];
  expect(spawnSync('python3', ['-c', WHEEL, ...args]).status).toBe(0);
  return file;
}

/** The output of a Python program. */
export function evaluate(python: string, expression: string): string {
  const { stdout, stderr } = spawnSync(python, ['-c', `print(${expression})`], { encoding: 'utf8' });
  return (stdout ?? '').trim() || (stderr ?? '');
}
