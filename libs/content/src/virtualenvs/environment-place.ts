import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';

/**
 * The virtual environment of a pack on disk.
 * 1. `<directory>/<pack>` is a link to `<directory>/.made/<pack>/<number>`. Programs use the link; scripts inside contain
 *    the directory they were created in, so nothing has to be moved.
 * 2. The link is switched atomically once an environment is complete, so a partial one is never used.
 * 3. Directories without a link are garbage, which the next holder of the lock removes.
 */
export class EnvironmentPlace {
  readonly link: string;
  readonly lockFile: string;
  readonly #directory: string;
  readonly #made: string;

  constructor(directory: string, pack: string) {
    this.link = join(directory, pack);
    this.lockFile = join(directory, '.made', `${pack}.lock`);
    this.#directory = directory;
    this.#made = join(directory, '.made', pack);
  }

  /** Whether the current environment is complete and has this fingerprint. */
  async holds(fingerprint: string): Promise<boolean> {
    const noted = await readFile(join(this.link, MARKER), 'utf8').catch(() => undefined);
    // The interpreter may have been removed since.
    return noted === fingerprint && existsSync(join(this.link, 'bin/python'));
  }

  /** Returns the path for a new environment, which does not exist yet. */
  async fresh(): Promise<string> {
    await this.clean();
    await mkdir(this.#made, { recursive: true });
    return join(this.#made, newName());
  }

  /** Switches to a complete environment. */
  async use(environment: string, fingerprint: string): Promise<void> {
    await writeFile(join(environment, MARKER), fingerprint);
    const link = join(this.#made, `${basename(environment)}.link`);
    await symlink(relative(this.#directory, environment), link);
    const before = await lstat(this.link).catch(() => undefined);
    // A link cannot replace a directory, so the directory is moved away.
    if (before && !before.isSymbolicLink()) await rename(this.link, join(this.#made, newName()));
    await rename(link, this.link);
    await this.clean();
  }

  /** Removes unused environments. */
  async clean(): Promise<void> {
    const used = basename(await readlink(this.link).catch(() => ''));
    for (const name of await readdir(this.#made).catch(() => [])) {
      if (name !== used) await rm(join(this.#made, name), { recursive: true, force: true });
    }
  }
}

/** File with the fingerprint of a complete environment. */
const MARKER = '.switchyard';

const newName = (): string => randomUUID().slice(0, 8);
