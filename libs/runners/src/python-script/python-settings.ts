import type { Config, Paths } from '@switchyard/config';

/** The part of the configuration that Python actions depend on. */
export interface PythonSettings {
  /** Python for packs without a virtual environment. */
  readonly python: string;
  /** Where the virtual environments of packs are. */
  readonly virtualenvs: string;
  /** Where the configurations of packs are. */
  readonly configs: string;
  /** Packs may import from their directory `lib`. */
  readonly commonLibs: boolean;
  /** For actions that do not ask for a level of their own. */
  readonly logLevel: string;
  readonly warmWorkers: boolean;
}

export const pythonSettings = (
  { actionrunner, packs }: Pick<Config, 'actionrunner' | 'packs'>,
  { virtualenvs, configs }: Pick<Paths, 'virtualenvs' | 'configs'>,
): PythonSettings => ({
  python: actionrunner.python_binary ?? 'python3',
  virtualenvs,
  configs,
  commonLibs: packs.enable_common_libs,
  logLevel: actionrunner.python_runner_log_level,
  warmWorkers: actionrunner.python_warm_workers,
});
