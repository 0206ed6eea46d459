import { MINUTE_MS, SECOND_MS } from '@switchyard/base';
import {
  findProgram,
  isSameProgram,
  startProcess,
  versionOf,
  type ChildRun,
  type ProgramFile,
} from '@switchyard/subprocess';

type Environment = Readonly<Record<string, string>>;

interface Known {
  /** The file that the configured name leads to. */
  readonly asked: ProgramFile;
  /** The file to start. */
  readonly real: ProgramFile;
  /** Whether the interpreter itself confirmed that both are the same, so that the answer cannot change. */
  readonly isDirect: boolean;
  readonly at: number;
}

/** A version manager may switch to another interpreter without changing any file known here. */
const FRESH_MS = MINUTE_MS;
const PATIENCE_MS = 20 * SECOND_MS;

/**
 * Prints the identity of an interpreter and everything that may differ between two ways of starting it. Ignores variables of
 * version managers, the path, and those that shells drop, such as exported functions. Any other variable that a script sets
 * is meant for the actions.
 */
const QUESTION = `
import json, os, re, sys
others = re.compile("_*(PYENV|ASDF|MISE|RTX)_|(PATH|PWD|OLDPWD|SHLVL|_)$|.*[^A-Za-z0-9_]")
variables = sorted(item for item in os.environ.items() if not others.match(item[0]))
print(json.dumps([sys.executable, sys.version, sys.prefix, sys.path, list(sys.flags), variables]))
`;

/**
 * The interpreter of the service. Its name often leads to a version manager's shim, a script that starts several times
 * slower than the interpreter behind it. So this finds out which interpreter that is, and starts it directly if both
 * print exactly the same answer. It checks again when either file changes, and in the background when the answer is
 * older than a minute.
 */
export class ServiceInterpreter {
  readonly #python: string;
  readonly #freshMs: number;
  readonly #children = new Set<ChildRun>();
  #known: Known | undefined;
  #asking: Promise<ProgramFile | undefined> | undefined;

  /** @param python a path, or a name to find on the `PATH` of the environment */
  constructor(python: string, freshMs = FRESH_MS) {
    this.#python = python;
    this.#freshMs = freshMs;
  }

  /** @returns undefined when there is no such program */
  async find(environment: Environment): Promise<ProgramFile | undefined> {
    const known = this.#known;
    if (known === undefined || !isUnchanged(known)) return this.#askOnce(environment);
    // Runs in the background and does not throw.
    if (performance.now() - known.at > this.#freshMs) void this.#askOnce(environment);
    return known.real;
  }

  /** Kills the processes it started. */
  async close(): Promise<void> {
    for (const child of this.#children) child.end({ graceMs: 0 });
    await this.#asking;
  }

  #askOnce(environment: Environment): Promise<ProgramFile | undefined> {
    this.#asking ??= this.#ask(environment).finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #ask(environment: Environment): Promise<ProgramFile | undefined> {
    const asked = findProgram(this.#python, environment['PATH']);
    const before = this.#known;
    const at = performance.now();
    if (asked === undefined) this.#known = undefined;
    else if (before?.isDirect === true && isSameProgram(before.asked, asked)) this.#known = { ...before, at };
    else this.#known = { asked, at, ...(await this.#behind(asked, environment)) };
    return this.#known?.real;
  }

  async #behind(asked: ProgramFile, environment: Environment): Promise<Pick<Known, 'real' | 'isDirect'>> {
    const answer = await this.#answerOf(asked.path, environment);
    const executable = executableIn(answer);
    if (executable === undefined || executable === asked.path)
      return { real: asked, isDirect: executable === asked.path };
    const found = findProgram(executable);
    const isSameOne = found !== undefined && (await this.#answerOf(executable, environment)) === answer;
    return { real: isSameOne ? found : asked, isDirect: false };
  }

  /** @returns an empty text on failure */
  async #answerOf(python: string, environment: Environment): Promise<string> {
    const command = { file: python, args: ['-c', QUESTION] };
    const child = startProcess({ command, env: environment, timeoutMs: PATIENCE_MS, graceMs: 0 });
    this.#children.add(child);
    const { cause, exitCode, stdout } = await child.result;
    this.#children.delete(child);
    return cause === 'exit' && exitCode === 0 ? stdout.text : '';
  }
}

/** The answer is like `["/usr/bin/python3", …]`, but a script may print anything. */
function executableIn(answer: string): string | undefined {
  try {
    const [executable] = JSON.parse(answer) as [unknown];
    return typeof executable === 'string' && executable.startsWith('/') ? executable : undefined;
  } catch {
    return undefined;
  }
}

const isUnchanged = ({ asked, real }: Known): boolean =>
  versionOf(asked.path) === asked.version && versionOf(real.path) === real.version;
