import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';

/**
 * Where the environment of a pack is, and its predecessors were.
 * 1. `<directory>/<pack>` is a link to `<directory>/.made/<pack>/<number>`. Programs name the link, scripts inside name the
 *    directory that they were made in, so that nothing has to be moved.
 * 2. The link is set, in one step, once an environment is complete: nobody sees one that is half made.
 * 3. Whatever no link leads to is rubbish; it is removed by the next who holds the lock.
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

  /** Whether the environment in use is complete and was made from the same things. */
  async holds(fingerprint: string): Promise<boolean> {
    const noted = await readFile(join(this.link, MARKER), 'utf8').catch(() => undefined);
    // The link to an interpreter that was removed since leads nowhere.
    return noted === fingerprint && existsSync(join(this.link, 'bin/python'));
  }

  /** A directory for a new environment; it does not exist yet. */
  async fresh(): Promise<string> {
    await this.clean();
    await mkdir(this.#made, { recursive: true });
    return join(this.#made, newName());
  }

  /** Puts a complete environment into use. */
  async use(environment: string, fingerprint: string): Promise<void> {
    await writeFile(join(environment, MARKER), fingerprint);
    const link = join(this.#made, `${basename(environment)}.link`);
    await symlink(relative(this.#directory, environment), link);
    const before = await lstat(this.link).catch(() => undefined);
    // A directory that somebody else made there does not give way to a link.
    if (before && !before.isSymbolicLink()) await rename(this.link, join(this.#made, newName()));
    await rename(link, this.link);
    await this.clean();
  }

  /** Removes what is not in use. */
  async clean(): Promise<void> {
    const used = basename(await readlink(this.link).catch(() => ''));
    for (const name of await readdir(this.#made).catch(() => [])) {
      if (name !== used) await rm(join(this.#made, name), { recursive: true, force: true });
    }
  }
}

/** Holds the fingerprint of a complete environment. */
const MARKER = '.switchyard';

const newName = (): string => randomUUID().slice(0, 8);
