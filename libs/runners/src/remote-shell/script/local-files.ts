import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fault } from '@switchyard/base';
import { entryPointOf } from '../../entry-point';
import type { RunRequest } from '../../runner-plugin';

/** The files to copy: directories before their contents. Paths are relative, with `/`. */
export interface ScriptFiles {
  /** The script itself. */
  readonly name: string;
  readonly directories: readonly string[];
  readonly files: readonly ScriptFile[];
}

export interface ScriptFile {
  readonly path: string;
  readonly content: Buffer;
  readonly mode: number;
}

const SCRIPT_MODE = 0o744;

/** Reads an action's script and the directory `lib` next to it. @throws Fault `ssh.script-file`, `runner.…` */
export async function scriptFiles(request: RunRequest): Promise<ScriptFiles> {
  const { packDirectory, path } = entryPointOf(request);
  const script = join(packDirectory, path);
  const name = basename(script);
  const { ref, entry_point: entryPoint } = request.action;
  try {
    const content = await readFile(script);
    const library = name === 'lib' ? NOTHING : await tree(dirname(script), 'lib');
    return {
      name,
      directories: library.directories,
      files: [{ path: name, content, mode: SCRIPT_MODE }, ...library.files],
    };
  } catch (thrown) {
    throw fault('ssh.script-file', { ref, entryPoint, reason: codeOf(thrown) }, { cause: thrown });
  }
}

const codeOf = (thrown: unknown): string => (thrown as { code?: string }).code ?? 'unknown';

type Tree = Pick<ScriptFiles, 'directories' | 'files'>;
const NOTHING: Tree = { directories: [], files: [] };

/** Lists a directory recursively; empty if it does not exist. Follows links, and skips everything but files and directories. */
async function tree(root: string, path: string): Promise<Tree> {
  const found = await stat(join(root, path)).catch(() => undefined);
  if (found?.isFile() === true) {
    return { directories: [], files: [{ path, content: await readFile(join(root, path)), mode: found.mode & 0o777 }] };
  }
  if (found?.isDirectory() !== true) return NOTHING;
  const names = (await readdir(join(root, path))).filter((name) => name !== '__pycache__');
  const below = await Promise.all(names.map((name) => tree(root, `${path}/${name}`)));
  return {
    directories: [path, ...below.flatMap(({ directories }) => directories)],
    files: below.flatMap(({ files }) => files),
  };
}
