import { join } from 'node:path';
import { pythonInstallation, type Config, type Paths, type PythonInstallation } from '@switchyard/config';

/** The part of the configuration that Python actions depend on. */
export interface PythonSettings {
  /** Python for packs without a virtual environment. */
  readonly python: string;
  /** Directory of the packs' virtual environments. */
  readonly virtualenvs: string;
  /** Directory of the packs' configurations. */
  readonly configs: string;
  /** Directory of the product's compiled Python modules. */
  readonly bytecode: string;
  /** Whether packs may import from their `lib` directory. */
  readonly commonLibs: boolean;
  /** Log level of actions that do not set one. */
  readonly logLevel: string;
  readonly warmWorkers: boolean;
  readonly installation: PythonInstallation;
}

type SettingsConfig = Pick<Config, 'actionrunner' | 'packs' | 'python'>;
type SettingsPaths = Pick<Paths, 'base' | 'virtualenvs' | 'configs' | 'packsBasePaths'>;

export const pythonSettings = (config: SettingsConfig, paths: SettingsPaths): PythonSettings => ({
  python: config.actionrunner.python_binary ?? 'python3',
  virtualenvs: paths.virtualenvs,
  configs: paths.configs,
  bytecode: join(paths.base, 'cache/python'),
  commonLibs: config.packs.enable_common_libs,
  logLevel: config.actionrunner.python_runner_log_level,
  warmWorkers: config.actionrunner.python_warm_workers,
  installation: pythonInstallation(config, paths),
});
