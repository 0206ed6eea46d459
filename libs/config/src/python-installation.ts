import { join } from 'node:path';
import type { Config } from './config';
import type { Paths } from './locations';

/**
 * What the processes of Python actions and sensors know about the system; see `python/switchyard_installation.py` and
 * `python/switchyard_modules.py`.
 */
export interface PythonInstallation {
  readonly base_path: string;
  readonly packs_base_paths: readonly string[];
  /** Null: there is no shared environment. */
  readonly shared: SharedEnvironmentFacts | null;
}

export interface SharedEnvironmentFacts {
  /** Contains one environment per version of Python, such as `3.11`. */
  readonly directory: string;
  /** The requirements of the user; null: those of the product. */
  readonly requirements: string | null;
  /** How long an import waits for an environment that is being created. */
  readonly wait_seconds: number;
}

export const pythonInstallation = (
  { python }: Pick<Config, 'python'>,
  { base, packsBasePaths }: Pick<Paths, 'base' | 'packsBasePaths'>,
): PythonInstallation => ({
  base_path: base,
  packs_base_paths: packsBasePaths,
  shared: python.shared_environment
    ? {
        directory: join(base, 'shared-python'),
        requirements: python.shared_requirements,
        wait_seconds: python.shared_wait,
      }
    : null,
});
