import { legacy, list, path, str } from '../option';

const runnersPath = legacy('runners are part of the program');

export const content = {
  system_packs_base_path: path(null, 'Directory of installed packs; unset: packs under system.base_path.'),
  packs_base_paths: str(null, 'Further directories of packs, separated by colons.'),
  pack_group: legacy(
    'installed files get the group of the packs directory when that has the setgid bit (chgrp GROUP, chmod g+s)',
  ),
  index_url: list(
    ['https://index.stackstorm.org/v1/index.json'],
    'Indexes of packs; of equal names the one in the leftmost index counts.',
  ),
  system_runners_base_path: runnersPath,
  runners_base_paths: runnersPath,
};
