import { join } from 'node:path';
import type { Config, Paths } from '@switchyard/config';

/** The part of the configuration that Python actions depend on. */
export interface PythonSettings {
  /** Python for packs without a virtual environment. */
  readonly python: string;
  /** Directory of the packs' virtual environments. */
  readonly virtualenvs: string;
  /** Directory of the packs' configurations. */
  readonly configs: string;
  /** Directory of our compiled Python modules. */
  readonly bytecode: string;
  /** Whether packs may import from their `lib` directory. */
  readonly commonLibs: boolean;
  /** Log level of actions that do not set one. */
  readonly logLevel: string;
  readonly warmWorkers: boolean;
}

export const pythonSettings = (
  { actionrunner, packs }: Pick<Config, 'actionrunner' | 'packs'>,
  { base, virtualenvs, configs }: Pick<Paths, 'base' | 'virtualenvs' | 'configs'>,
): PythonSettings => ({
  python: actionrunner.python_binary ?? 'python3',
  virtualenvs,
  configs,
  bytecode: join(base, 'cache/python'),
  commonLibs: packs.enable_common_libs,
  logLevel: actionrunner.python_runner_log_level,
  warmWorkers: actionrunner.python_warm_workers,
});
