import { join } from 'node:path';
import type { Config } from './config';
import type { Paths } from './locations';

/**
 * What the processes of Python actions and sensors need to know about the system; see
 * `python/switchyard_installation.py` and `python/switchyard_modules.py`.
 */
export interface PythonInstallation {
  readonly base_path: string;
  readonly packs_base_paths: readonly string[];
  /** Null if there is no shared environment. */
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

/** How packages of Python are installed, for the environments of packs, of their tests, and the shared one. */
export interface PackageInstallation {
  readonly python: string;
  readonly virtualenv: string;
  readonly virtualenvOptions: readonly string[];
  readonly pipOptions: readonly string[];
  /** Directory of the pip that environments share. */
  readonly tools: string;
  readonly installer: 'auto' | 'pip' | 'uv';
  readonly packageCache: string;
  /** Directory of wheels to install from without an index. */
  readonly wheels: string | null;
}

export const packageInstallation = (
  { actionrunner, python }: Pick<Config, 'actionrunner' | 'python'>,
  { base, virtualenvs }: Pick<Paths, 'base' | 'virtualenvs'>,
): PackageInstallation => ({
  python: actionrunner.python_binary,
  virtualenv: actionrunner.virtualenv_binary,
  virtualenvOptions: actionrunner.virtualenv_opts,
  pipOptions: actionrunner.pip_opts,
  tools: join(virtualenvs, '.made', '.tools'),
  installer: python.installer,
  packageCache: python.package_cache ?? join(base, 'cache', 'packages'),
  wheels: python.wheels,
});
