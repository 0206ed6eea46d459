import { mkdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { environmentOf } from '../process-run';
import { findProgram, isSameProgram, type ProgramFile } from '../program-file';

/** The content of the file. */
interface Remembered {
  /** The file that the configured name leads to. */
  readonly asked: ProgramFile;
  /** The interpreter that it has started. */
  readonly real: ProgramFile;
}

/**
 * The interpreter of spawn servers. Its name often leads to a version manager's shim, a script that starts several times
 * slower than the interpreter behind it. So the interpreter of a running server is remembered in a file, and later
 * servers are started with it, until it or the shim changes. If the version manager switches to another version
 * meanwhile, the server keeps the old one, which makes no difference to it.
 */
export class ServerInterpreter {
  readonly #python: string;
  readonly #file: string | undefined;

  /**
   * @param python a path, or a name to find on the `PATH`
   * @param file where the interpreter is remembered; without it, it is not
   */
  constructor(python: string, file?: string) {
    this.#python = python;
    this.#file = file;
  }

  /** The program to start. */
  program(): string {
    const { asked, real } = this.#remembered() ?? {};
    if (asked === undefined || real === undefined) return this.#python;
    const isUnchanged = isSameProgram(asked, this.#asked()) && isSameProgram(real, findProgram(real.path));
    return isUnchanged ? real.path : this.#python;
  }

  /** Remembers the interpreter of a running server, if the configured name does not lead to it directly. */
  remember(pid: number): void {
    if (this.#file === undefined) return;
    try {
      const asked = this.#asked();
      const real = findProgram(readlinkSync(`/proc/${pid}/exe`));
      // A shim that stays the parent of the interpreter cannot be replaced.
      if (asked === undefined || real === undefined || !basename(real.path).startsWith('python')) return;
      if (realpathSync(asked.path) === real.path || isSameProgram(asked, this.#remembered()?.asked)) return;
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(this.#file, JSON.stringify({ asked, real } satisfies Remembered));
    } catch {
      // The next server starts through the shim again.
    }
  }

  /** Call it if a server could not start. */
  forget(): void {
    if (this.#file !== undefined) rmSync(this.#file, { force: true });
  }

  #asked = (): ProgramFile | undefined => findProgram(this.#python, environmentOf({})['PATH']);

  #remembered(): Partial<Remembered> | undefined {
    if (this.#file === undefined) return undefined;
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as Partial<Remembered>;
    } catch {
      return undefined;
    }
  }
}
