/** How virtual environments are made. The names in parentheses are options of the section `actionrunner`. */
export interface VirtualenvSettings {
  /** Holds `<pack>` for each pack. */
  readonly directory: string;
  /** The interpreter of the environments (`python_binary`). */
  readonly python: string;
  /** The program that makes them (`virtualenv_binary`); where there is none, the interpreter's module `venv` does. */
  readonly virtualenv: string;
  /** Options of that program (`virtualenv_opts`). */
  readonly virtualenvOptions: readonly string[];
  /** Options of `pip install` (`pip_opts`). */
  readonly pipOptions: readonly string[];
  /** What the programs inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Takes what the programs print, line by line with its newline, addresses without their user and password. */
export type OnOutput = (line: string) => void;
