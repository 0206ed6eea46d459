import { join } from 'node:path';
import type { Config, Paths } from '@switchyard/config';

/** The part of the configuration that Python actions depend on. */
export interface PythonSettings {
  /** Python for packs without a virtual environment. */
  readonly python: string;
  /** Where the virtual environments of packs are. */
  readonly virtualenvs: string;
  /** Where the configurations of packs are. */
  readonly configs: string;
  /** Where the compiled form of our own Python modules is kept. */
  readonly bytecode: string;
  /** Packs may import from their directory `lib`. */
  readonly commonLibs: boolean;
  /** For actions that do not ask for a level of their own. */
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
