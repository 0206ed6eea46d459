import { bool, choice, intOption, path, str } from '../option';

export const python = {
  installer: choice(
    ['auto', 'pip', 'uv'],
    'auto',
    'The program that installs packages. auto: uv if it is installed and pip is not configured (actionrunner.pip_opts, pip.conf, PIP_…), else pip.',
  ),
  package_cache: path(null, 'Directory of downloaded and built packages. Unset: cache/packages in system.base_path.'),
  wheels: path(
    null,
    'Directory of wheels. If set, the requirements of packs are installed from it, without a package index.',
    { mustExist: 'directory' },
  ),
  shared_environment: bool(
    true,
    'Create an environment with the Python packages that StackStorm has, when a pack needs them. The packages of a pack itself take precedence.',
  ),
  shared_requirements: path(
    null,
    'File with the packages of the shared environment. Installed without dependencies, so it must be complete. Unset: the list that comes with the product.',
    { mustExist: 'file' },
  ),
  shared_index_url: str(
    null,
    'Package index for the shared environment. Unset: as configured for pip (actionrunner.pip_opts, pip.conf, PIP_INDEX_URL).',
  ),
  shared_wheels: path(
    null,
    'Directory of wheels. If set, the shared environment is installed from it, without a package index. Unset: python.wheels, unless shared_index_url is set.',
    { mustExist: 'directory' },
  ),
  shared_wait: intOption(
    540,
    'Maximum time that an import waits for the shared environment while it is being created, in seconds.',
    { minimum: 0 },
  ),
};
