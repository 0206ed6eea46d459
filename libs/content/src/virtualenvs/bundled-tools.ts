import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fault } from '@switchyard/base';
import { startProcess } from '@switchyard/subprocess';
import type { PythonInterpreter } from './python-interpreter';
import type { VirtualenvSettings } from './virtualenv-settings';

/**
 * The pip that comes with Python, and setuptools if Python includes it. `python -m venv` installs them into each
 * environment, which takes seconds of processor time. Here they are unpacked once into a directory, and a path file
 * makes them importable in each environment. If the requirements of a pack name another version, pip installs it into
 * the environment, where it comes first, and does not touch the shared one.
 * @returns the directory; undefined if the interpreter does not have them
 * @throws Fault `content.virtualenv`
 */
export async function unpackBundledTools(
  pack: string,
  { bundledWheels }: PythonInterpreter,
  { tools, python, environment }: Pick<VirtualenvSettings, 'tools' | 'python' | 'environment'>,
): Promise<string | undefined> {
  if (!bundledWheels.some((wheel) => basename(wheel).startsWith('pip-'))) return undefined;
  // Equal wheels have the same files, whichever interpreter they come with.
  const target = join(tools, bundledWheels.map((wheel) => basename(wheel).split('-').slice(0, 2).join('-')).join('+'));
  if (existsSync(target)) return target;
  await mkdir(tools, { recursive: true });
  const unfinished = join(tools, `.${randomUUID().slice(0, 8)}`);
  const { exitCode, stderr, spawnError } = await startProcess({
    command: { file: python, args: ['-I', '-S', '-c', UNPACK, unfinished, ...bundledWheels] },
    env: environment,
  }).result;
  // Another process may have been faster.
  if (exitCode === 0) await rename(unfinished, target).catch(() => undefined);
  await rm(unfinished, { recursive: true, force: true });
  if (existsSync(target)) return target;
  const reason = `pip could not be unpacked into ${tools}: ${spawnError?.message ?? stderr.text.trim()}`;
  throw fault('content.virtualenv', { pack, reason });
}

const UNPACK = `
import sys, zipfile
for wheel in sys.argv[2:]:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(sys.argv[1])
`;

/** Makes the tools importable in an environment without pip, and adds the program `pip` to it. */
export async function linkBundledTools(target: string, tools: string): Promise<void> {
  const library = join(target, 'lib');
  const versions = (await readdir(library)).filter((name) => name.startsWith('python'));
  for (const version of versions)
    await writeFile(join(library, version, 'site-packages', 'bundled_tools.pth'), `${tools}\n`);
  const script = `#!/bin/sh\nexec ${quoted(join(target, 'bin/python'))} -m pip "$@"\n`;
  for (const name of ['pip', 'pip3', ...versions.map((version) => version.replace('python', 'pip'))]) {
    await writeFile(join(target, 'bin', name), script);
    await chmod(join(target, 'bin', name), 0o755);
  }
}

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;
