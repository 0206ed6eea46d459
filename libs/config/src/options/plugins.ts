import { list, path } from '../option';

export const plugins = {
  packages: list(
    [],
    'Names of installed packages that add runners, authentication backends and role backends. They run inside the services.',
  ),
  directory: path(null, 'Directory whose node_modules has these packages. Unset: plugins under system.base_path.', {
    mustExist: 'directory',
  }),
};
