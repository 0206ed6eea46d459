import { constants, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, Paths } from '@switchyard/config';
import type { ProcessCommand } from '@switchyard/subprocess';
import type { RunAbilities } from '../runner-plugin';
import { mountedCommand, whyNoMount, type MappedFolders } from './mounted-command';

/** Where StackStorm keeps packs, virtual environments and its own Python. Packs may contain these paths. */
const ROOT = '/opt/stackstorm';

/** The pack of the action that runs. */
export interface OwnPack {
  readonly pack: string;
  readonly packDirectory?: string | undefined;
}

/** Option `actionrunner.stackstorm_paths`. */
type Mode = Config['actionrunner']['stackstorm_paths'];

/**
 * Makes StackStorm's paths usable for actions, unless they exist on this machine.
 * 1. `rewrite` replaces them in the interpreter line of a script and in its working directory.
 * 2. `mount` also runs processes in a mount namespace in which they exist. If the kernel does not allow that, a single
 *    warning reports it.
 */
export class StackstormPaths {
  /** Whether processes may run in their own mount namespace, see `isMounting`. */
  readonly mayMount: boolean;
  readonly #mode: Mode;
  readonly #folders: MappedFolders;
  #refusal: Promise<string | undefined> | undefined;

  constructor(mode: Mode, folders: MappedFolders) {
    this.#mode = existsSync(`${ROOT}/packs`) ? 'off' : mode;
    this.mayMount = this.#mode === 'mount';
    this.#folders = folders;
  }

  /** The directory to start a process in. */
  directory(path: string, own: OwnPack): string {
    const [, kind, name = '', rest = ''] = UNDER_ROOT.exec(path) ?? [];
    if (kind === undefined || this.#mode === 'off' || existsSync(path)) return path;
    if (kind === 'virtualenvs') return join(this.#folders.virtualenvs, name, rest);
    if (kind === 'configs') return join(this.#folders.configs, name, rest);
    if (name === own.pack && own.packDirectory !== undefined) return join(own.packDirectory, rest);
    const { packs } = this.#folders;
    const root = packs.find((each) => existsSync(join(each, name))) ?? packs[0];
    return root === undefined ? path : join(root, name, rest);
  }

  /** The interpreter for a script with such a path in its interpreter line: a program and possibly an argument. */
  async interpreterFor(script: string): Promise<string[]> {
    if (this.#mode === 'off') return [];
    const [, program, environment, file, argument] = INTERPRETER.exec(await firstLine(script)) ?? [];
    if (program === undefined || existsSync(program)) return [];
    const { virtualenvs, python } = this.#folders;
    const found = environment === undefined ? python : join(virtualenvs, environment, 'bin', file ?? '');
    return argument === undefined ? [found] : [found, argument];
  }

  /** Whether processes run in their own mount namespace. */
  async isMounting({ config, logger }: Pick<RunAbilities, 'config' | 'logger'>): Promise<boolean> {
    if (!this.mayMount) return false;
    this.#refusal ??= this.#examine(config.environment, logger);
    return (await this.#refusal) === undefined;
  }

  /** Wraps a command so that it runs where the paths exist. Check `isMounting` first. */
  mounted(command: ProcessCommand): ProcessCommand {
    return mountedCommand(command, this.#folders);
  }

  async #examine(environment: Readonly<Record<string, string>>, logger: RunAbilities['logger']) {
    const reason = await whyNoMount(this.#folders, environment);
    if (reason !== undefined)
      logger.warn('Paths below /opt/stackstorm cannot be mounted for actions; they are rewritten.', { reason });
    return reason;
  }
}

const UNDER_ROOT = /^\/opt\/stackstorm\/(packs|virtualenvs|configs)\/([^/]+)\/*(.*)$/;
const INTERPRETER =
  /^#!\s*(\/opt\/stackstorm\/(?:st2\/bin\/python[\d.]*|virtualenvs\/([^/\s]+)\/bin\/([^/\s]+)))[ \t]*(\S.*?)?\s*$/;
/** Linux reads at most this much of an interpreter line. */
const LONGEST_LINE = 256;

/** The first line of a script; empty if it cannot be read, because starting the script then fails with the reason. */
async function firstLine(path: string): Promise<string> {
  // Opening a named pipe would otherwise wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_LINE), 0, LONGEST_LINE, 0);
    return buffer.toString('utf8', 0, bytesRead).split('\n')[0] ?? '';
  } catch {
    return '';
  } finally {
    await file.close();
  }
}

export const stackstormPaths = (
  { actionrunner }: Pick<Config, 'actionrunner'>,
  { virtualenvs, configs, packsBasePaths }: Pick<Paths, 'virtualenvs' | 'configs' | 'packsBasePaths'>,
): StackstormPaths =>
  new StackstormPaths(actionrunner.stackstorm_paths, {
    virtualenvs,
    configs,
    packs: packsBasePaths,
    python: actionrunner.python_binary,
  });
